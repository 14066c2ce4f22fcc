import { ZipFile } from 'yazl';

export async function writeZip(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = new ZipFile();
  // A fixed time gives the same bytes on each run.
  const mtime = new Date(0);
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), name, { mtime });
  archive.end();
  const pieces: Buffer[] = [];
  for await (const piece of archive.outputStream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
