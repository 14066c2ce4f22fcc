/** A file that was sent to be imported. It can be read any number of times, each time from its beginning. */
export interface ImportFile {
  /** In bytes. */
  readonly size: number;
  /** Its bytes, in pieces of any length. */
  open(): AsyncIterable<Uint8Array>;
}

/** A file that is in memory. */
export function fileOf(contents: string | Uint8Array): ImportFile {
  const bytes = typeof contents === 'string' ? Buffer.from(contents) : contents;
  return {
    size: bytes.length,
    async *open() {
      yield bytes;
    },
  };
}
