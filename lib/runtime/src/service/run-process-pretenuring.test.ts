import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const module = new URL('run-process.ts', import.meta.url).href;

it('is a flag of this V8 (which would only warn of an unknown one)', async () => {
  const script = `import { disablePretenuring } from '${module}'; disablePretenuring(); console.log('done');`;
  const ran = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  expect(ran).toEqual({ stdout: 'done\n', stderr: '' });
});
