// The playground's other half, off the page's thread: Python, the networks and Prolog, all in WebAssembly. The very
// Python that the service runs answers the page's requests; what it asks of networks and Prolog, it calls here.

const STACK = 128 * 2 ** 20; // bytes, as a process of the service has them
const ROOT = "/project";

const overTheWire = self.fetch;
let backend = null; // a promise

/** As ever; and the page is told of the bytes as they come. */
self.fetch = async (...asked) => {
  const reply = await overTheWire(...asked);
  const transform = (chunk, out) => (postMessage({ loaded: chunk.length }), out.enqueue(chunk));
  return new Response(reply.body?.pipeThrough(new TransformStream({ transform })), reply);
};

self.onmessage = async ({ data: { method, path, body, fields } }) => {
  try {
    const python = await (backend ??= start());
    if (!method) return postMessage({}); // all is loaded
    const content = new Uint8Array(await new Blob([body]).arrayBuffer());
    for (const [name, value] of Object.entries(fields)) {
      if (value instanceof Blob) fields[name] = { name: value.name, text: await value.text() };
    }
    const found = python.answer(method, path, content, JSON.stringify(fields));
    const [status, type, bytes] = found.toJs();
    found.destroy();
    postMessage({ status, type, body: bytes });
  } catch (error) {
    postMessage({ fault: String(error?.message ?? error) });
  }
};

async function start() {
  const parts = [bytes("project.zip"), startPython(), startNetworks(), startJpeg(), startProlog()];
  const [project, pyodide, network, jpeg, prolog] = await Promise.all(parts);
  pyodide.unpackArchive(project, "zip", { extractDir: ROOT });
  pyodide.runPython(`import sys; sys.path.insert(0, "${ROOT}")`);
  const { FS } = prolog;
  FS.mkdir("/symbolic");
  for (const file of pyodide.FS.readdir(`${ROOT}/predinet_prolog/symbolic`)) {
    if (file.endsWith(".pl")) FS.writeFile(`/symbolic/${file}`, pyodide.FS.readFile(`${ROOT}/predinet_prolog/symbolic/${file}`));
  }
  once(prolog, `consult('/symbolic/host.pl'), set_prolog_flag(stack_limit, ${STACK})`);
  const call = (operation, given) =>
    String(once(prolog, "host:reply(Operation, Given, Reply)", { Operation: operation, Given: asProlog(given.toJs()) }).Reply);
  const { Backend } = pyodide.pyimport("backend");
  return Backend(network, jpeg, call);
}

async function startPython() {
  importScripts("pyodide/pyodide.js");
  const pyodide = await loadPyodide({ indexURL: "pyodide/" });
  await pyodide.loadPackage(["numpy", "pillow", "scipy"], { messageCallback: () => {} });
  return pyodide;
}

async function startNetworks() {
  const folder = "onnxruntime-web/ort-wasm-simd-threaded";
  const parts = [import("./network.js"), import(`./${folder}.mjs`), bytes(`${folder}.wasm`)]; // side by side
  const [{ networks }, { default: start }, binary] = await Promise.all(parts);
  return networks(start, binary);
}

const startJpeg = async () => (await import("./jpeg.js")).decoder(await bytes("cwasm-jpeg-turbo/jpeg-turbo.wasm"));

function startProlog() {
  importScripts("swipl-wasm/swipl-web.js");
  return SWIPL({ arguments: ["-q"], locateFile: (name) => `swipl-wasm/${name}` });
}

/** With strings as strings of Prolog: what comes from JavaScript becomes atoms. */
function asProlog(value) {
  if (Array.isArray(value)) return value.map(asProlog);
  return typeof value === "string" ? { $t: "s", v: value } : value;
}

function once({ prolog }, goal, bindings) {
  const found = prolog.query(goal, bindings).once();
  if (!found.success) throw new Error(`Prolog: ${found.message ?? `${goal} failed`}`);
  return found;
}

const bytes = async (address) => (await fetch(address)).arrayBuffer();
