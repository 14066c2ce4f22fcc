import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listPackages } from '@survey/local/packages/published-packages';
import { readReleases } from '@survey/local/release/changelog';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

const packages = await listPackages();

/** An empty project into which the packed packages are installed. */
let project: string;
/** The output of `npm run build:packages`. */
let report: string;

async function run(command: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd: project })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')}:\n${stdout}${stderr}`, { cause: error });
  }
}

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'survey-packages-'));
  await writeFile(join(project, 'package.json'), '{"type":"module","private":true}');
  report = await run(process.execPath, [join(root, 'deploy/local/build-packages.ts')]);
  const tarballs = [...report.matchAll(/^(\S+\.tgz)/gm)].map(([, path = '']) => join(root, path));
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs]);
  await cp(join(root, 'test/packages/uses'), project, { recursive: true });
}, 300_000);
afterAll(() => rm(project, { recursive: true, force: true }));

describe('the published packages', () => {
  it.each(packages)('$manifest.name has a README, a changelog, and a size', async ({ manifest, folder }) => {
    const { name, version } = manifest;
    expect(await readFile(join(root, folder, 'README.md'), 'utf8')).toMatch(new RegExp(`^# ${name}\n`));
    const changelog = await readFile(join(root, folder, 'CHANGELOG.md'), 'utf8');
    expect([version, undefined]).toContain(readReleases(changelog)[0]?.version);
    if (manifest.exports) expect(report).toMatch(new RegExp(`  ${name}: .* kB gzipped\n`));
    expect(manifest['private'], 'only built packages can be published').toBe(true);
  });

  it.each([
    ['browsers', { lib: ['es2023', 'dom'], types: [] }],
    ['Node', { lib: ['es2023'], types: ['node'] }],
  ])('have types for %s', async (_where, where) => {
    const compilerOptions = {
      ...where,
      typeRoots: [join(root, 'node_modules/@types')],
      module: 'nodenext',
      target: 'es2022',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', project]);
  });

  it('verify a webhook in a project that installed them', async () => {
    expect(await run(process.execPath, ['use-webhooks.ts'])).toBe('survey.published Zoë 😀\n');
  });

  it('validate answers in a project that installed them', async () => {
    expect(await run(process.execPath, ['use-questionnaire.ts'])).toBe('drink,service REQUIRED,REQUIRED\n');
  });

  it('run a command in a project that installed them', async () => {
    expect(await run(join(project, 'node_modules/.bin/survey'), ['--help'])).toContain('surveys push FILE');
  });

  it('call the API in a project that installed them', async () => {
    const lines = (await run(process.execPath, ['use-client.ts'])).trimEnd().split('\n');
    expect(lines).toEqual([
      ...['POST http://gateway/v1/surveys', 'GET http://gateway/v1/surveys?limit=1', 's1 undefined'],
      ...['GET http://gateway/v1/surveys/s1/responses/export', "{ id: 'r1' }"],
      ...['DELETE http://gateway/v1/surveys/s1', 'UNEXPECTED_REPLY 0 0'],
    ]);
  });
});
