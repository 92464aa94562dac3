// libjpeg-turbo in WebAssembly, which Pillow has where the command line runs: Pyodide's Pillow has another library, that
// makes other pixels of the same file.

const RGB = 0; // pixel formats of libjpeg-turbo, and their bytes a pixel
const GREY = 6;
const BYTES = { [RGB]: 3, [GREY]: 1 };

/** What decodes; `binary` is the WebAssembly module. */
export async function decoder(binary) {
  const none = () => 0;
  const env = { setjmp: none, longjmp: () => failed() };
  const calls = ["environ_sizes_get", "environ_get", "proc_exit", "fd_close", "fd_seek", "fd_write"];
  const wasi_snapshot_preview1 = Object.fromEntries(calls.map((name) => [name, none]));
  const { instance } = await WebAssembly.instantiate(binary, { env, wasi_snapshot_preview1 });
  const { memory, malloc, free, tjInitDecompress, tjDecompress2, tjDestroy } = instance.exports;

  /** The pixels of a file, row by row: at that size, its own or, rounded up, a half, a quarter or an eighth of it. */
  return (file, width, height, grey) => {
    const format = grey ? GREY : RGB;
    const size = width * height * BYTES[format];
    const from = malloc(file.length);
    const to = malloc(size);
    const handle = tjInitDecompress();
    try {
      new Uint8Array(memory.buffer).set(file, from);
      if (tjDecompress2(handle, from, file.length, to, width, 0, height, format, 0)) failed();
      return new Uint8Array(memory.buffer, to, size).slice();
    } finally {
      tjDestroy(handle);
      free(from);
      free(to);
    }
  };
}

function failed() {
  throw new Error("the JPEG is damaged or cut off");
}
