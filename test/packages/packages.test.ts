import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { listPackages } from '@survey/tools/packages/published-packages';
import { readReleases } from '@survey/tools/release/changelog';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

const packages = await listPackages();

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
  report = await run(process.execPath, [join(root, 'tools/packages/packages.ts')]);
  const tarballs = [...report.matchAll(/^(\S+\.tgz)/gm)].map(([, path = '']) => join(root, path));
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
  it.each(packages)('$manifest.name has a README, a changelog, and a size', async ({ manifest, folder }) => {
    const { name, version } = manifest;
    expect(await readFile(join(root, folder, 'README.md'), 'utf8')).toMatch(new RegExp(`^# ${name}\n`));
    const changelog = await readFile(join(root, folder, 'CHANGELOG.md'), 'utf8');
    expect([version, undefined]).toContain(readReleases(changelog)[0]?.version);
    if (manifest.exports) expect(report).toMatch(new RegExp(`  ${name}: .* kB gzipped\n`));
    expect(manifest['private'], 'only built packages can be published').toBe(true);
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
