import { ZipFile } from 'yazl';

/** A ZIP archive of files by name. */
export async function writeZip(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = new ZipFile();
  // The same bytes whenever it is written.
  const mtime = new Date(0);
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), name, { mtime });
  archive.end();
  const pieces: Buffer[] = [];
  for await (const piece of archive.outputStream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
