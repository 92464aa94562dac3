// Requests to the service, relative to the page so that it may live below any path.

import { byId } from "./dom.js";

const SENT = 2048; // pixels along a side of a picture that is made smaller; the service looks at 1,024

/** What the service answers instead: problem details (RFC 9457), or what stands for them when it does not answer. */
class Problem extends Error {
  constructor(details, status = 0) {
    super(details.detail || details.title || `The service answered ${status}.`);
    this.details = details;
    this.status = status;
  }

  /** What went wrong and what helps, in a line. */
  get line() {
    const { title, retryAfter } = this.details;
    return `${title ? `${title}: ` : ""}${this.message}${retryAfter ? ` Try again in ${retryAfter} s.` : ""}`;
  }
}

/** What a step comes to; where the service refuses it, `tell` gets the Problem. */
export async function attempt(step, tell) {
  try {
    return await step();
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    tell(problem);
    return undefined;
  }
}

export const api = {
  /** fields: what else the form holds, such as {model, boxes}, or files; those that are undefined are left out. */
  async look(file, fields) {
    const post = (picture) => request("scenes", { method: "POST", body: form(picture, fields) });
    return post(file).catch(async (problem) => {
      // Boxes that a detector tells are in pixels of the file; and what no browser draws cannot be made smaller.
      const small = problem.status === 413 && !fields?.detections && (await smaller(file).catch(() => null));
      if (!small) throw problem;
      const details = await post(small);
      return { ...details, notes: [...details.notes, `sent at ${details.image.width}x${details.image.height}: the service takes no larger file`] };
    });
  },
  scene: (id) => request(`scenes/${id}`),
  program: (id) => request(`scenes/${id}/program`, {}, "text"),
  brief: (id) => request(`scenes/${id}/brief`, {}, "text"),
  image: (id) => request(`scenes/${id}/image`, {}, "blob"),
  masks: (id) => request(`scenes/${id}/masks`),
  /** As text: numbers too large for JavaScript survive in what people copy. */
  query: (id, question) => post(`scenes/${id}/query`, question, "text"),
  suppose: (id, question) => post(`scenes/${id}/suppose`, question),
  learn: (lesson) => post("learn", lesson),
  name: (naming) => post("words", naming),
  /** A file of the page itself. */
  own: (path, as) => request(`static/${path}`, {}, as),
};

/** The picture in twice the pixels that the service looks at; what is no JPEG as PNG, which keeps transparency. */
async function smaller(file) {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, SENT / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const type = file.type === "image/jpeg" ? file.type : "image/png";
  return new File([await canvas.convertToBlob({ type, quality: 0.95 })], file.name);
}

function form(file, fields = {}) {
  const data = new FormData();
  data.append("image", file, file.name || "image.png");
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) data.append(name, value);
  return data;
}

function post(path, value, as) {
  const headers = { "Content-Type": "application/json" };
  return request(path, { method: "POST", headers, body: JSON.stringify(value) }, as);
}

async function request(path, options = {}, as = "json") {
  for (;;) {
    const token = sessionStorage.getItem("token");
    const headers = { ...options.headers, ...(token && { Authorization: `Bearer ${token}` }) };
    const response = await promised(fetch(path, { ...options, headers }), NO_ANSWER);
    if (response.status === 401) await askToken(token);
    else if (response.ok) return promised(response[as](), BROKEN_OFF, response.status);
    else throw await problem(response);
  }
}

const NO_ANSWER = { title: "No answer", detail: "The service does not answer. Is it still running?" };
const BROKEN_OFF = { title: "Broken off", detail: "The answer broke off on its way." };

/** What is promised; where that fails, a Problem of these details. */
const promised = (promise, details, status) => promise.catch(() => Promise.reject(new Problem(details, status)));

async function problem(response) {
  // Where it is no JSON, not the service itself answers but something before it: a proxy. Its status says enough.
  const details = await response.json().catch(() => ({}));
  const seconds = Number(response.headers.get("Retry-After"));
  return new Problem({ ...details, retryAfter: seconds > 0 ? seconds : null }, response.status);
}

let waiting = null; // one form for all the requests that wait for a token

function askToken(refused) {
  waiting ??= new Promise((resolve) => {
    const box = byId("token-form");
    const input = byId("token");
    byId("token-note").textContent = refused ? "That token was not accepted." : "It is kept until this tab is closed.";
    box.hidden = false;
    input.value = "";
    input.focus();
    box.onsubmit = (event) => {
      event.preventDefault();
      // A header holds no other characters; the service refuses what is left as it refuses any wrong token.
      sessionStorage.setItem("token", input.value.replace(/[^\x21-\x7e]/g, ""));
      box.hidden = true;
      waiting = null;
      resolve();
    };
  });
  return waiting;
}
