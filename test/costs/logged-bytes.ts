const streams = [process.stdout, process.stderr];

/** How many bytes are logged while it works: lines of JSON, which then come to no terminal. */
export async function loggedBytes(work: () => Promise<unknown>): Promise<number> {
  let bytes = 0;
  const restore = streams.map((stream) => {
    const { write } = stream;
    stream.write = (text: string | Uint8Array) => {
      if (!String(text).startsWith('{')) return write.call(stream, text);
      bytes += Buffer.byteLength(text);
      return true;
    };
    return () => {
      stream.write = write;
    };
  });
  try {
    await work();
    return bytes;
  } finally {
    for (const undo of restore) undo();
  }
}
