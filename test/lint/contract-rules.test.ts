import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contractAt, findContractBase } from '../support/contract-base.ts';
import { root, runTool } from '../support/run-step.ts';

const FILE = 'survey/surveys/v1/survey.proto';
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survey-contract-'));
  await cp(join(root, 'proto'), join(folder, 'proto'), {
    recursive: true,
    filter: (path) => !/node_modules|proto\/gen/.test(path),
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function edit(from: string | RegExp, to: string): Promise<void> {
  const path = join(folder, 'proto', FILE);
  const before = await readFile(path, 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  await writeFile(path, after);
}

function buf(...args: string[]) {
  return runTool('buf', args, { cwd: join(folder, 'proto') });
}

async function git(...args: string[]): Promise<string> {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];
  const { passed, output } = await runTool('git', [...identity, ...args], { cwd: folder });
  expect(passed, output).toBe(true);
  return output.trim();
}

async function commit(message: string): Promise<string> {
  await git('add', '--all');
  await git('commit', '--quiet', '--allow-empty', '--message', message);
  return git('rev-parse', 'HEAD');
}

describe('a contract with a field that has no comment', () => {
  it('is rejected', async () => {
    await edit(/^message Survey \{/m, 'message Survey {\n  string undocumented = 99;\n');
    const { passed, output } = await buf('lint');
    expect(passed).toBe(false);
    expect(output).toContain('undocumented');
  });
});

describe('an incompatible contract', () => {
  it.each([
    ['a member has another name', /string schema_version = 4/, 'string format_version = 4'],
    ['a member has another type', /string schema_version = 4/, 'bool schema_version = 4'],
  ])('is rejected when %s', async (_case, from, to) => {
    await git('init', '--quiet', '--initial-branch=main');
    const base = await commit('before');
    expect((await buf('breaking', '--against', contractAt(base, folder))).passed).toBe(true);
    await edit(from, to);
    const { passed, output } = await buf('breaking', '--against', contractAt(base, folder));
    expect(passed).toBe(false);
    expect(output).toContain('schema_version');
  });
});

describe('the base of compatibility', () => {
  beforeEach(() => git('init', '--quiet', '--initial-branch=main'));

  it('is unknown without a previous commit', async () => {
    expect(await findContractBase(folder)).toBeUndefined();
    await commit('first');
    expect(await findContractBase(folder)).toBeUndefined();
  });

  it('is the previous commit on main', async () => {
    const first = await commit('first');
    await commit('second');
    expect(await findContractBase(folder)).toBe(first);
  });

  it('is where the branch left main', async () => {
    const first = await commit('first');
    await git('switch', '--quiet', '--create', 'feature');
    await commit('second');
    await commit('third');
    expect(await findContractBase(folder)).toBe(first);
  });

  it('is the last release', async () => {
    const first = await commit('first');
    await git('tag', 'v1.0.0');
    await commit('second');
    await commit('third');
    expect(await findContractBase(folder)).toBe(first);
  });
});

it('the contract breaks no client of its base', async () => {
  const base = await findContractBase();
  // There is no base without a git history.
  if (base === undefined) return;
  const args = ['breaking', '--against', contractAt(base)];
  const { output } = await runTool('buf', args, { cwd: join(root, 'proto') });
  expect(output).toBe('');
});
