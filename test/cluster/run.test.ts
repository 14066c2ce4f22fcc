import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import config from '../../vitest.config.ts';
import { runTool } from '../support/run-step.ts';
import { requirePinnedContext } from './context.ts';

/** A fake kubectl that records its arguments and has no context. */
const KUBECTL = `#!/bin/sh
echo "$@" >> "$KUBECTL_CALLS"
echo "error: cannot locate context" >&2
exit 1
`;

let folder: string;
let calls: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survey-kubectl-'));
  calls = join(folder, 'calls');
  await writeFile(calls, '');
  await writeFile(join(folder, 'kubectl'), KUBECTL);
  await chmod(join(folder, 'kubectl'), 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

function testCluster(...args: readonly string[]) {
  const env = { KUBECTL_CALLS: calls, PATH: `${folder}${delimiter}${process.env['PATH']}` };
  return runTool(process.execPath, ['test/cluster/run.ts', ...args], { env });
}

describe('npm run test:cluster', () => {
  it.each([{ args: [] }, { args: ['one', 'two'] }, { args: ['--help'] }])(
    'with $args prints how to name a context and calls no kubectl',
    async ({ args }) => {
      const { passed, output } = await testCluster(...args);
      expect(passed).toBe(false);
      expect(output).toContain('usage: npm run test:cluster -- CONTEXT');
      expect(await readFile(calls, 'utf8')).toBe('');
    },
  );

  it('stops at a context that kubectl does not know', async () => {
    const { passed, output } = await testCluster('nowhere');
    expect(passed).toBe(false);
    expect(output).toContain('kubectl has no context nowhere: error: cannot locate context');
    expect(await readFile(calls, 'utf8')).toMatch(/^config view .*--context nowhere/);
  });
});

describe('the cluster suite', () => {
  it('does not start without the name of a context', async () => {
    await expect(requirePinnedContext({})).rejects.toThrow('npm run test:cluster -- CONTEXT');
  });

  it('is not part of the default configuration of vitest', () => {
    expect(JSON.stringify(config)).not.toContain('test/cluster');
  });
});
