import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import config from '../../vitest.config.ts';
import { root, runTool } from '../support/run-step.ts';
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

describe('the copy of the context', () => {
  it('is removed when the tests are stopped', async () => {
    const temporary = join(folder, 'temporary');
    await mkdir(temporary);
    const started = join(folder, 'started');
    const kubectl = `#!/bin/sh
case "$*" in
  "config view"*) echo '{"current-context":"here"}' ;;
  *) touch "${started}"; exec sleep 10 ;;
esac
`;
    const bin = join(folder, 'with-context');
    await mkdir(bin);
    await writeFile(join(bin, 'kubectl'), kubectl);
    await chmod(join(bin, 'kubectl'), 0o755);
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}`, TMPDIR: temporary };
    const child = spawn(process.execPath, ['test/cluster/run.ts', 'here'], { cwd: root, env, stdio: 'ignore' });
    const exited = once(child, 'exit');
    await poll(() => existsSync(started));
    const copies = async () => (await readdir(temporary)).filter((name) => name.startsWith('survey-kubeconfig-'));
    expect(await copies()).toHaveLength(1);
    child.kill('SIGTERM');
    expect(await exited).toEqual([1, null]);
    expect(await copies()).toEqual([]);
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
