/** A file to import. It can be read several times, each time from the beginning. */
export interface ImportFile {
  /** Bytes. */
  readonly size: number;
  /** Streams the bytes in chunks of any length. */
  open(): AsyncIterable<Uint8Array>;
}

/** Makes a file from contents in memory. */
export function fileOf(contents: string | Uint8Array): ImportFile {
  const bytes = typeof contents === 'string' ? Buffer.from(contents) : contents;
  return {
    size: bytes.length,
    async *open() {
      yield bytes;
    },
  };
}
