// Answers the page's requests to a service without one: a worker does, in this browser, one after the other.

import { byId } from "./static/dom.js";

const LIMIT = 120_000; // milliseconds for one request once all is loaded; a question has a limit of its own, in Prolog
const ROUTE = /^(scenes|learn|words)(\/|$)/;

const overTheWire = globalThis.fetch;
const seen = new Set(); // requests with pictures, for a new worker
let worker = null;
let ready = null; // a promise
let last = null; // of the last answer

globalThis.fetch = (address, options) => (ROUTE.test(address) ? answer(address, options) : overTheWire(address, options));
sessionStorage.clear(); // scenes end with the page that saw them
if (location.hash) history.replaceState(null, "", location.pathname + location.search);
restart();

async function answer(path, { method = "GET", body = "" } = {}) {
  const { status, type, body: found } = await inTurn(request(method, path, body));
  return new Response(found, { status, headers: { "Content-Type": type } });
}

function request(method, path, body) {
  if (!(body instanceof FormData)) return { method, path, body, fields: {} };
  const { image, ...fields } = Object.fromEntries(body);
  const id = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const sent = { method, path, body: image, fields: { ...fields, name: image.name, id } };
  seen.add(sent);
  return sent;
}

/** Asks the worker when those before are answered, and it is ready: it may be another one by then. */
function inTurn(request) {
  return (last = Promise.resolve(last).then(() => ready).then(() => exchange(request)));
}

function exchange(request) {
  return new Promise((resolve) => {
    const failed = (status, title, detail) => {
      seen.delete(request);
      resolve({ status, type: "application/json", body: JSON.stringify({ status, title, detail }) });
    };
    const late = setTimeout(() => {
      restart();
      failed(504, "Time ran out", "That took too long, and was ended.");
    }, LIMIT);
    worker.onmessage = ({ data }) => {
      clearTimeout(late);
      if (data.fault) failed(500, "The playground failed", data.fault);
      else resolve(data);
    };
    worker.postMessage(request);
  });
}

/** Starts a worker, in the place of one that hangs. It is ready when it has answered to nothing. */
function restart() {
  worker?.terminate();
  worker = new Worker("worker.js");
  const started = new Promise((resolve) => (worker.onmessage = ({ data }) => (data.loaded ? count(data.loaded) : resolve(data))));
  worker.onerror = ({ message }) => tell(`This browser cannot run the playground: ${message ?? "a file is missing"}`);
  worker.postMessage({});
  tell("Loading Python, the networks and Prolog into this browser…");
  ready = started.then(async ({ fault }) => {
    tell(fault ?? "");
    byId("coming").hidden = true;
    for (const sent of seen) await exchange(sent);
  });
}

/** Shows how much has come of what is loaded. */
function count(bytes) {
  const [bar, words] = byId("coming").children;
  bar.value += bytes;
  const [loaded, all] = [bar.value, bar.max].map((size) => Math.round(size / 1e6));
  words.textContent = `${loaded} of ${all} MB, ${Math.floor(100 * bar.position)}%`;
}

function tell(words) {
  byId("loading").textContent = words;
}
