import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('start.ts', import.meta.url));

it('npm start -- --help lists its variables and the commands for the running stack', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--help']);
  for (const text of ['--fresh', 'CORS_ORIGINS', 'admin -- demo', 'admin -- --help']) expect(stdout).toContain(text);
});
