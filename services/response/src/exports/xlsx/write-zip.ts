import { PassThrough, Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file in a ZIP archive. */
export interface ZipPart {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Writes a ZIP archive in pieces, as its reader takes them. The parts are read one after another. If reading a part
 * fails, throws the error, and the archive is incomplete and invalid.
 */
export async function* writeZip(parts: AsyncIterable<ZipPart>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = new PassThrough();
  const fail = (error: unknown) => {
    output.destroy(error instanceof Error ? error : new Error('writing the archive failed', { cause: error }));
  };
  zip.on('error', fail);
  let current: Readable | undefined;

  async function addParts(): Promise<void> {
    for await (const { name, content } of parts) {
      if (output.destroyed) return;
      current = Readable.from(content);
      zip.addReadStream(current, name, { compressionLevel: 3 });
      await finished(current);
    }
    zip.end();
  }

  const piped = pipeline(zip.outputStream, output).catch(fail);
  const added = addParts().catch(fail);
  try {
    yield* output;
  } finally {
    // The reader may have stopped early: stop the parts too.
    output.destroy();
    current?.destroy();
    await Promise.all([piped, added]);
  }
}
