import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildPackage } from './build-package.ts';
import { checkPackage } from './check-package.ts';
import { listPackages } from './published-packages.ts';

it('a package without a file that users import is rejected', async () => {
  const one = (await listPackages()).find(({ folder }) => folder === 'lib/webhooks');
  if (one === undefined) throw new Error('lib/webhooks is not published');
  const output = await mkdtemp(join(tmpdir(), 'survey-package-'));
  try {
    const built = await buildPackage(one, output);
    await expect(checkPackage(built)).resolves.toBeUndefined();
    await rm(join(built.built, 'dist/fetch.js'));
    await expect(checkPackage(built)).rejects.toThrow(/dist\/fetch\.js but the file does not exist/);
  } finally {
    await rm(output, { recursive: true });
  }
});
