import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../vendor/scalar');

it('the vendored script is the one that its record names, with its licence', async () => {
  const { file, sha256, version } = JSON.parse(await readFile(join(folder, 'vendored.json'), 'utf8'));
  const script = await readFile(join(folder, basename(file)));
  expect(createHash('sha256').update(script).digest('hex')).toBe(sha256);
  expect(script.includes(version)).toBe(true);
  expect(await readFile(join(folder, 'LICENSE'), 'utf8')).toMatch(/^MIT License\n\nCopyright .+ Scalar\n/);
});
