// onnxruntime in WebAssembly, called as Python calls it: a run returns when it is done. onnxruntime-web's own interface
// only promises results, for which Python, that is called from here, could not wait; so this calls what lies under it.

// Number of the type in ONNX, its name in NumPy, bytes.
const TYPES = [[1, "float32", 4], [2, "uint8", 1], [7, "int64", 8], [9, "bool", 1], [11, "float64", 8]];
const OPTIMISE = 99; // all that onnxruntime can do
const FATAL = 4; // of what it would write; errors are thrown as well
const POINTER = 4; // bytes

/** What makes sessions. `start` starts the WebAssembly module that `binary` is. */
export async function networks(start, binary) {
  const wasm = await start({ numThreads: 1, wasmBinary: binary });
  checked(wasm, wasm._OrtInit(1, FATAL));
  return { session: (graph, optimise, file) => new Session(wasm, graph, optimise, file) };
}

class Session {
  /** graph: bytes of an ONNX file, whose weights lie in `file`, bytes too, if it does not hold them. */
  constructor(wasm, graph, optimise, file) {
    this.wasm = wasm;
    const options = wasm._OrtCreateSessionOptions(optimise ? OPTIMISE : 0, true, true, 0, false, 0, 0, FATAL, 0, 0);
    if (file) wasm.mountExternalData("given", file);
    const place = put(wasm, graph);
    this.handle = wasm._OrtCreateSession(place, graph.length, options);
    if (!this.handle) failed(wasm);
    wasm.unmountExternalData?.();
    wasm._free(place);
    wasm._OrtReleaseSessionOptions(options);
    [this.inputs, this.outputs] = names(wasm, this.handle);
  }

  /** inputs: [name, NumPy's type, shape, bytes] of each. Returns the outputs of those names, without them. */
  run(inputs, names = this.outputs) {
    const { wasm } = this;
    const stack = wasm.stackSave();
    const taken = [];
    const tensors = [];
    try {
      const texts = (values) => pointers(wasm, values.map((value) => taken[taken.push(text(wasm, value)) - 1]));
      for (const [, type, shape, bytes] of inputs) {
        const place = taken[taken.push(put(wasm, bytes)) - 1];
        const number = TYPES.find(([, name]) => name === type)[0];
        tensors.push(wasm._OrtCreateTensor(number, place, bytes.length, pointers(wasm, shape), shape.length, 1));
        if (!tensors.at(-1)) failed(wasm);
      }
      const given = pointers(wasm, tensors);
      const results = pointers(wasm, names.map(() => 0));
      const own = texts(inputs.map(([name]) => name));
      const status = wasm._OrtRun(this.handle, own, given, inputs.length, texts(names), names.length, results, 0);
      checked(wasm, status);
      return names.map((name, index) => {
        const tensor = wasm.getValue(results + index * POINTER, "*");
        tensors.push(tensor);
        return read(wasm, tensor);
      });
    } finally {
      for (const tensor of tensors) wasm._OrtReleaseTensor(tensor);
      for (const place of taken) wasm._free(place);
      wasm.stackRestore(stack);
    }
  }
}

/** Of the inputs, those without initial values, and of the outputs. */
function names(wasm, handle) {
  const stack = wasm.stackSave();
  const out = wasm.stackAlloc(2 * POINTER);
  const two = (type) => [0, 1].map((index) => wasm.getValue(out + index * POINTER, type));
  checked(wasm, wasm._OrtGetInputOutputCount(handle, out, out + POINTER));
  const [inputs, outputs] = two("i32");
  const all = Array.from({ length: inputs + outputs }, (_, index) => {
    checked(wasm, wasm._OrtGetInputOutputMetadata(handle, index, out, out + POINTER));
    const [name, metadata] = two("*");
    wasm._OrtFree(metadata);
    return wasm.UTF8ToString(name);
  });
  wasm.stackRestore(stack);
  return [all.slice(0, inputs), all.slice(inputs)];
}

function read(wasm, tensor) {
  const out = wasm.stackAlloc(4 * POINTER);
  checked(wasm, wasm._OrtGetTensorData(tensor, out, out + POINTER, out + 2 * POINTER, out + 3 * POINTER));
  const [type, data, sizes, count] = [0, 1, 2, 3].map((index) => wasm.getValue(out + index * POINTER, "i32"));
  const shape = Array.from({ length: count }, (_, index) => wasm.getValue(sizes + index * POINTER, "i32"));
  wasm._OrtFree(sizes);
  const [, name, bytes] = TYPES.find(([number]) => number === type);
  const length = shape.reduce((all, size) => all * size, bytes);
  return [name, shape, wasm.HEAPU8.slice(data, data + length)];
}

function put(wasm, bytes) {
  const place = wasm._malloc(bytes.length || 1);
  wasm.HEAPU8.set(bytes, place);
  return place;
}

const text = (wasm, value) => put(wasm, new TextEncoder().encode(`${value}\0`));

function pointers(wasm, values) {
  const place = wasm.stackAlloc(Math.max(values.length, 1) * POINTER);
  values.forEach((value, index) => wasm.setValue(place + index * POINTER, value, "i32"));
  return place;
}

function checked(wasm, status) {
  if (status) failed(wasm);
}

function failed(wasm) {
  const out = wasm.stackAlloc(2 * POINTER);
  wasm._OrtGetLastError(out, out + POINTER);
  const message = wasm.getValue(out + POINTER, "*");
  throw new Error(`onnxruntime: ${message ? wasm.UTF8ToString(message) : "no reason is told"}`);
}
