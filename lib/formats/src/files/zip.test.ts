import { expect, it } from 'vitest';
import { writeZip } from '../testing/write-zip.ts';
import { fileOf } from './import-file.ts';
import { readZip } from './zip.ts';

it('names the limit of files in memory', async () => {
  const file = { size: 40_000_000, open: () => fileOf('PK').open() };
  await expect(readZip(file)).rejects.toMatchObject({
    errors: [{ code: 'TOO_LARGE', detail: expect.stringMatching(/the limit of surveys, workbooks and archives$/) }],
  });
});

it('names the limit that an unpacked file exceeds: its own, or that of all files', async () => {
  const large = Buffer.alloc(30 * 1024 * 1024);
  const files = { 'huge.txt': Buffer.alloc(33 * 1024 * 1024), 'a.txt': large, 'b.txt': large, 'c.txt': large };
  const archive = await readZip(fileOf(await writeZip(files)));
  await expect(archive.read('huge.txt')).rejects.toMatchObject({
    errors: [{ code: 'BAD_ZIP', detail: 'The ZIP archive cannot be read: the unpacked file huge.txt is too large' }],
  });
  await archive.read('a.txt');
  await archive.read('b.txt');
  const detail = /: the unpacked files are too large: c\.txt exceeds 67108864 bytes for all files$/;
  await expect(archive.read('c.txt')).rejects.toMatchObject({
    errors: [{ code: 'BAD_ZIP', detail: expect.stringMatching(detail) }],
  });
});
