import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Check } from './checks.ts';
import { runCheck } from './run-checks.ts';

let cache: string;
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'survey-checks-'));
  vi.spyOn(console, 'log').mockImplementation(() => {});
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(cache, { recursive: true });
});

/** A check that counts its runs. */
function createCheck(options: Pick<Check, 'inputs'> & { readonly passes?: boolean }) {
  const runs: number[] = [];
  const check: Check = {
    name: 'a check (for tests)',
    ...(options.inputs === undefined ? {} : { inputs: options.inputs }),
    run: async () => {
      runs.push(runs.length);
      return { passed: options.passes ?? true, output: '' };
    },
  };
  return { check, runs };
}

const sources = ['package.json', 'proto/package.json'];

describe('a check that passed', () => {
  it('is skipped while its inputs are unchanged', async () => {
    const { check, runs } = createCheck({ inputs: /./ });
    await runCheck(check, sources, { cache });
    expect(await runCheck(check, sources, { cache })).toEqual({ name: check.name, passed: true });
    expect(runs).toHaveLength(1);
  });

  it('runs again when an input was added', async () => {
    const { check, runs } = createCheck({ inputs: /./ });
    await runCheck(check, sources, { cache });
    await runCheck(check, [...sources, 'tsconfig.json'], { cache });
    expect(runs).toHaveLength(2);
  });

  it('is skipped when only other files were added', async () => {
    const { check, runs } = createCheck({ inputs: /^proto\// });
    await runCheck(check, sources, { cache });
    await runCheck(check, [...sources, 'tsconfig.json'], { cache });
    expect(runs).toHaveLength(1);
  });

  it('runs again without inputs and without a file list', async () => {
    const { check, runs } = createCheck({});
    await runCheck(check, sources, { cache });
    await runCheck(check, sources, { cache });
    const unlisted = createCheck({ inputs: /./ });
    await runCheck(unlisted.check, undefined, { cache });
    await runCheck(unlisted.check, undefined, { cache });
    expect([runs.length, unlisted.runs.length]).toEqual([2, 2]);
  });
});

it('a check that failed runs again', async () => {
  const { check, runs } = createCheck({ inputs: /./, passes: false });
  await runCheck(check, sources, { cache });
  expect(await runCheck(check, sources, { cache })).toEqual({ name: check.name, passed: false });
  expect(runs).toHaveLength(2);
});
