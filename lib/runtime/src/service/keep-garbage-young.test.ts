import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const module = new URL('keep-garbage-young.ts', import.meta.url).href;

it('is understood by this V8, which else would complain and go on', async () => {
  const script = `import { keepGarbageYoung } from '${module}'; keepGarbageYoung(); console.log('done');`;
  const ran = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  expect(ran).toEqual({ stdout: 'done\n', stderr: '' });
});
