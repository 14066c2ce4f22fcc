import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { root } from '../support/run-step.ts';

const read = (path: string) => readFile(join(root, path), 'utf8');

describe('a release', () => {
  it('has one version: in the manifests, the chart and the changelog', async () => {
    const { version } = manifest;
    for (const workspace of manifest.workspaces) {
      const {
        version: own,
        dependencies = {},
        devDependencies = {},
      } = JSON.parse(await read(join(workspace, 'package.json')));
      const ours = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
        name.startsWith('@survey/'),
      );
      expect([own, ...ours.map(([, wanted]) => wanted)], workspace).toEqual([own, ...ours].map(() => version));
    }
    expect(await read('helm/Chart.yaml')).toContain(`\nversion: ${version}\nappVersion: "${version}"\n`);
    expect(await read('helm/examples/production.yaml')).toContain(`tag: ${version}\n`);
    expect(/^## (\d\S*) - \d{4}-\d{2}-\d{2}$/m.exec(await read('CHANGELOG.md'))?.[1]).toBe(version);
  });
});

it('npm test runs all suites but the longest fault tests', async () => {
  const suites = [...(await read('vitest.config.ts')).matchAll(/name: '(\w+)'/g)].map(([, name]) => name);
  expect(suites.length).toBeGreaterThan(10);
  const { tests, checks, ...commands } = manifest.wireit;
  const run = [...tests.dependencies, ...checks.dependencies].map((name) =>
    JSON.stringify(Object.entries(commands).find(([command]) => command === name)),
  );
  const isRun = (name = '') => run.some((command) => command?.includes(`--project ${name}`));
  expect(suites.filter((name) => !isRun(name))).toEqual(['chaos']);
});

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly if?: string;
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

describe('the workflow of releases', async () => {
  const jobs: Readonly<Record<string, Job>> = parse(await read('.github/workflows/release.yml')).jobs;
  const commandsOf = (job: string, name: string) => jobs[job]?.steps.find((step) => step.name === name)?.run ?? '';
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'release-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const run = (commands: string, env: NodeJS.ProcessEnv = {}) =>
    promisify(execFile)('bash', ['-e', '-c', commands], { cwd: folder, env: { ...process.env, ...env } });

  it.each(['test', 'tag'])('finds the notes of the version in CHANGELOG.md (job %s)', async (job) => {
    const changelog = `# Changelog

## Unreleased

- Not yet.

## 1.1.0 - 2026-02-01

### Added

- A second thing.

## 1.0.0 - 2026-01-01

- A first thing.
`;
    await writeFile(join(folder, 'CHANGELOG.md'), changelog);
    const readNotes = async (version: string) => {
      await writeFile(join(folder, 'package.json'), JSON.stringify({ version }));
      await run(commandsOf(job, 'Release notes'));
      return (await readFile(join(folder, 'notes.md'), 'utf8')).trim();
    };
    expect(await readNotes('1.1.0')).toBe('### Added\n\n- A second thing.');
    expect(await readNotes('1.0.0')).toBe('- A first thing.');
    await expect(readNotes('1.2.0')).rejects.toThrow('Command failed');
  });

  it('links the chart to the repository', async () => {
    await mkdir(join(folder, 'helm'));
    await writeFile(join(folder, 'helm/Chart.yaml'), 'name: survey\n');
    const commands = commandsOf('images', 'Chart').replace(/^helm .*\n/gm, '');
    await run(commands, { REPOSITORY: 'https://example.org/owner/name' });
    expect(parse(await readFile(join(folder, 'helm/Chart.yaml'), 'utf8'))).toEqual({
      name: 'survey',
      home: 'https://example.org/owner/name',
      sources: ['https://example.org/owner/name'],
    });
  });
});

describe('workflows', async () => {
  const folder = '.github/workflows';
  const files = await readdir(join(root, folder));
  const texts = new Map(await Promise.all(files.map(async (file) => [file, await read(join(folder, file))] as const)));
  const jobsOf = (text: string): Readonly<Record<string, Job>> => parse(text).jobs;

  it('run actions of a fixed commit, and keep no credentials', () => {
    const steps = [...texts.values()].flatMap((text) => Object.values(jobsOf(text)).flatMap((job) => job.steps));
    const used = steps.filter(({ uses }) => uses !== undefined);
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter(({ uses = '' }) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(uses))).toEqual([]);
    const checkouts = used.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([]);
  });

  it('publish only from main, each job with only the rights of what it publishes', () => {
    const text = texts.get('release.yml') ?? '';
    expect(parse(text).permissions).toEqual({ contents: 'read' });
    const jobs = jobsOf(text);
    expect(Object.entries(jobs).map(([name, { needs, permissions }]) => [name, needs, permissions])).toEqual([
      ['test', undefined, undefined],
      ['images', 'test', { contents: 'read', packages: 'write' }],
      ['packages', 'images', { contents: 'read', 'id-token': 'write' }],
      ['tag', 'packages', { contents: 'write' }],
    ]);
    expect(jobs['test']?.if).toBe("github.ref == 'refs/heads/main'");
    const order = jobs['packages']?.steps.map(({ uses, run }) => run ?? uses?.split('@')[0]);
    expect(order?.slice(0, 3)).toEqual(['actions/checkout', 'npm ci --ignore-scripts', 'actions/setup-node']);
    const withToken = Object.keys(jobs).filter((name) => JSON.stringify(jobs[name]).includes('NPM_TOKEN'));
    expect(withToken).toEqual(['packages']);
  });

  it('install the packages before each command that does not do it itself', () => {
    const own = ['npm test', 'npm start', 'npm ci --ignore-scripts'];
    for (const [file, text] of texts)
      for (const [name, { steps }] of Object.entries(jobsOf(text))) {
        const commands = steps.flatMap(({ run }) => run?.split('\n').filter((line) => line.startsWith('npm ')) ?? []);
        if (commands.length > 0) expect(own, `${file}: ${name}`).toContain(commands[0]);
      }
  });

  it('run only existing commands', () => {
    expect(files.sort()).toEqual(['ci.yml', 'nightly.yml', 'release.yml']);
    for (const [file, text] of texts) {
      const scripts = [...text.matchAll(/\bnpm (?:run )?(?:--silent )?([\w:]+)/g)];
      expect(scripts.length).toBeGreaterThan(0);
      for (const [, script = ''] of scripts)
        if (!['ci', 'pkg', 'publish', 'view'].includes(script))
          expect(Object.keys(manifest.scripts), file).toContain(script);
    }
  });

  it('have the history for npm run test:all, which runs the previous release', async () => {
    const { jobs } = parse(await read('.github/workflows/nightly.yml'));
    const steps: { run?: string; with?: object }[] = jobs['test-all'].steps;
    expect(steps.map(({ run }) => run)).toContain('npm run test:all');
    expect(steps[0]?.with).toMatchObject({ 'fetch-depth': 0 });
  });

  it('install the tools of the chart before its tests', async () => {
    const { jobs } = parse(await read('.github/workflows/nightly.yml'));
    const commands = (jobs.chart.steps as { run?: string }[]).flatMap(({ run }) => run ?? []);
    expect(commands).toEqual(['go -C test/helm install tool', 'npm ci --ignore-scripts', 'npm run test:helm']);
    const module = await read('test/helm/go.mod');
    for (const tool of ['helm.sh/helm/v4/cmd/helm', 'yannh/kubeconform', 'helm-unittest/cmd/helm-unittest'])
      expect(module).toContain(tool);
  });
});
