import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUNDLE_ARGS } from '@survey/local/stack/start-processes';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { USAGE } from '../admin/usage.ts';
import { imageNames } from '../cluster/names.ts';
import { bundle, processes } from './bundle.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survey-bundle-'));
});
afterEach(() => rm(folder, { recursive: true }));

// The tests of the platform start the bundles of the gateway and the services.
describe('a bundle', () => {
  it('is made for each image', () => {
    expect(Object.keys(processes).toSorted()).toEqual([...imageNames].toSorted());
  });

  it('has all that the process needs, also with tracing', async () => {
    await bundle(processes.admin, folder);
    const ended = await promisify(execFile)(process.execPath, [...BUNDLE_ARGS, '--help'], {
      cwd: folder,
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
    });
    expect(ended).toEqual({ stdout: `${USAGE}\n`, stderr: '' });
  });

  it('is not made if a package is missing', async () => {
    const script = join(folder, 'main.ts');
    await writeFile(script, "import 'not-installed';\n");
    await expect(bundle({ scripts: { main: script } }, join(folder, 'bundle'))).rejects.toThrow('not-installed');
  });
});
