import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../support/run-step.ts';

const workspaces: readonly string[] = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).workspaces;
const manifests = await Promise.all(
  workspaces.map(async (folder) => {
    const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
    return { folder, name: manifest.name as string, manifest };
  }),
);
const packages = manifests.filter(({ manifest }) => manifest.publishConfig !== undefined);
const BUILT = join(root, '.cache/packages');

/** The oldest version of Node that the packages support. */
const OLDEST = 'v20.';
/** `npm test` may run with an older Node than the tests. */
const oldestNode = [
  process.env['npm_node_execpath'] ?? 'node',
  ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node')),
].find((path) => spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.startsWith(OLDEST));

/** An empty project into which the packed packages are installed. */
let project: string;
/** The output of `npm run build:packages`. */
let report: string;

async function run(
  command: string,
  args: readonly string[],
  { cwd = project, env = {} }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  try {
    // Many tools color their output where CI is set.
    const all = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...env };
    return (await promisify(execFile)(command, args, { cwd, env: all })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')}:\n${stdout}${stderr}`, { cause: error });
  }
}

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'survey-packages-'));
  await writeFile(join(project, 'package.json'), '{"type":"module","private":true}');
  const env = { GITHUB_SERVER_URL: 'https://example.org', GITHUB_REPOSITORY: 'owner/name' };
  report = await run('npm', ['run', 'build:packages'], { cwd: root, env });
  const tarballs = [...report.matchAll(/^\S+\.tgz$/gm)].map(([name]) => join(BUILT, name));
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs]);
  await cp(join(root, 'test/packages/uses'), project, { recursive: true });
  await compile(inNode);
}, 300_000);
afterAll(() => rm(project, { recursive: true, force: true }));

const inNode = { lib: ['es2023'], types: ['node'] };

/** Compiles the programs of the project. */
async function compile(options: object): Promise<void> {
  const compilerOptions = {
    ...options,
    typeRoots: [join(root, 'node_modules/@types')],
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    exactOptionalPropertyTypes: true,
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', project]);
}

/** Loses the connection of the first request. Then creates a survey, stores a file, and exports a response. */
function startServer() {
  let isLost = false;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    if (!isLost) {
      isLost = true;
      request.socket.destroy();
      return;
    }
    const isJson = request.method === 'POST';
    response.writeHead(200, { 'content-type': isJson ? 'application/json' : 'application/x-ndjson' });
    response.end(`${JSON.stringify(isJson ? { id: 's1', body } : { id: 'r1' })}\n`);
  };
  return createServer((request, response) => void respond(request, response));
}

describe('the published packages', () => {
  it.each(packages)('$name has a README, a changelog, a size, and no findings', async ({ name, manifest, folder }) => {
    expect(await readFile(join(root, folder, 'README.md'), 'utf8')).toMatch(new RegExp(`^# ${name}\n`));
    const changelog = await readFile(join(root, folder, 'CHANGELOG.md'), 'utf8');
    expect([manifest.version, undefined]).toContain(/^## (\d\S*)/m.exec(changelog)?.[1]);
    expect(report).toMatch(new RegExp(`\\[${name}\\] \\d+ files, total: .* kB`));
    expect(report).toContain(`[${name}] [publint] No issues found`);
    if (manifest.exports) expect(report).toContain(`[${name}] [attw] No problems found`);
    expect(manifest.private, 'only built packages can be published').toBe(true);
  });

  it('have a package.json that names built files, and has what users need', async () => {
    const read = async (name: string) => JSON.parse(await readFile(join(BUILT, name, 'package.json'), 'utf8'));
    const { version, ...questionnaire } = await read('questionnaire');
    const source = JSON.parse(await readFile(join(root, 'lib/questionnaire/package.json'), 'utf8'));
    const { private: _, version: __, devDependencies: ___, ...kept } = source;
    expect(questionnaire).toEqual({
      ...kept,
      repository: expect.anything(),
      files: ['dist', 'CHANGELOG.md'],
      exports: {
        '.': './dist/index.js',
        './check-definition': './dist/check-definition.js',
        './conditions': './dist/conditions/condition-sources.js',
        './test-vectors.json': './dist/test-vectors.json',
        './package.json': './package.json',
      },
      dependencies: {},
    });
    const cli = await read('cli');
    expect(cli).not.toHaveProperty('exports');
    expect(cli).toMatchObject({ bin: { survey: './dist/main.js' }, version });
    expect(cli.dependencies).toEqual({ '@survey/client': version, '@survey/questionnaire': version });
  });

  it('without a file that users import are rejected', async () => {
    const folder = join(project, 'incomplete');
    const config = join(folder, 'tsdown.config.ts');
    await mkdir(folder);
    await writeFile(
      config,
      `import { toConfigs } from '${root}/tsdown.config.ts';
      const webhooks = toConfigs('${folder}/built').find(({ name }) => name === '@survey/webhooks');
      const { fetch, ...entry } = webhooks.entry;
      export default { ...webhooks, entry };`,
    );
    const built = run(join(root, 'node_modules/.bin/tsdown'), ['--config', config]);
    await expect(built).rejects.toThrow(/dist\/fetch\.js but the file does not exist/);
  });

  // Runs npm many times, so it runs only in `npm run test:all`.
  it.skipIf(inject('testScope') !== 'all')('are published once by the workflow of releases', async () => {
    const published = new Map<string, { readonly versions: Record<string, { readonly repository: unknown }> }>();
    let uploads = 0;
    // A registry that stores packages as npm sends them.
    const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const name = decodeURIComponent(request.url ?? '').slice(1);
      const body = await text(request);
      if (request.method === 'PUT') {
        uploads += 1;
        published.set(name, JSON.parse(body));
      }
      const found = published.get(name);
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ?? {}));
    };
    const registry = createServer((request, response) => void respond(request, response));
    await once(registry.listen(0, '127.0.0.1'), 'listening');
    const host = `127.0.0.1:${(registry.address() as AddressInfo).port}`;
    const env = {
      [`npm_config_//${host}/:_authToken`]: 'token',
      NPM_CONFIG_REGISTRY: `http://${host}`,
      GITHUB_WORKSPACE: root,
    };
    const { jobs } = parse(await readFile(join(root, '.github/workflows/release.yml'), 'utf8'));
    const { run: script } = jobs.packages.steps.find((step: { name?: string }) => step.name === 'Publish');
    try {
      for (const _ of ['first', 'repeated']) await run('bash', ['-e', '-c', script], { cwd: root, env });
      expect(uploads).toBe(packages.length);
      for (const { name, folder, manifest } of packages)
        expect(published.get(name)?.versions[manifest.version]?.repository).toEqual({
          type: 'git',
          url: 'git+https://example.org/owner/name.git',
          directory: folder,
        });
    } finally {
      registry.close();
      registry.closeAllConnections();
    }
  });

  it('have types for browsers, too', () => compile({ lib: ['es2023', 'dom'], types: [], noEmit: true }));

  it('install no other packages', async () => {
    const installed = await readdir(join(project, 'node_modules'));
    expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['@survey']);
  });

  it('have a command', async () => {
    expect(await run(join(project, 'node_modules/.bin/survey'), ['--help'])).toContain('surveys push FILE');
  });
});

describe.each([
  ['the Node of the platform', process.execPath],
  ['Node 20', oldestNode],
])('a project with the published packages, run by %s', (_name, node = '') => {
  beforeEach(({ skip }) => skip(node === '', 'no Node 20 on the PATH'));

  it('verifies a webhook', async () => {
    expect(await run(node, ['use-webhooks.js'])).toBe('survey.published Zoë 😀\n');
  });

  it('validates answers', async () => {
    expect(await run(node, ['use-questionnaire.js'])).toBe('drink,service REQUIRED,REQUIRED\n');
  });

  it('runs a command', async () => {
    const help = await run(node, [join('node_modules', '@survey', 'cli', 'dist', 'main.js'), '--help']);
    expect(help).toContain('surveys push FILE');
  });

  it('repeats a lost request, and streams an upload and an export', async () => {
    const server = startServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const output = await run(node, ['call-server.mjs', `http://127.0.0.1:${port}`]);
    server.close();
    server.closeAllConnections();
    expect(JSON.parse(output)).toEqual([{ id: 's1', body: '{}' }, { id: 's1', body: 'One soup.' }, [{ id: 'r1' }]]);
  });

  it('calls the API', async () => {
    const lines = (await run(node, ['use-client.js'])).trimEnd().split('\n');
    expect(lines).toEqual([
      ...['POST http://gateway/v1/surveys', 'GET http://gateway/v1/surveys?limit=1', 's1 undefined'],
      ...['GET http://gateway/v1/surveys/s1/responses/export', "{ id: 'r1' }"],
      ...['DELETE http://gateway/v1/surveys/s1', 'UNEXPECTED_REPLY 0 0'],
    ]);
  });
});
