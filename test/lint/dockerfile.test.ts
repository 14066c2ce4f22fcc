import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BASE } from '@survey/tools/cluster/image-commands';
import { DOCKERFILE } from '@survey/tools/cluster/names';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root, runTool } from '../support/run-step.ts';

const text = await readFile(join(root, DOCKERFILE), 'utf8');

it('every image is the argument BASE or has a digest', () => {
  const images = [...text.matchAll(/^FROM +(?:--\S+ +)*(\S+)/gm)].map(([, image]) => image);
  expect(images.length).toBeGreaterThan(0);
  expect(images.filter((image) => !/^\$\{BASE\}$|@sha256:[0-9a-f]{64}$/.test(image ?? ''))).toEqual([]);
  // Images can also be sources of files.
  const stages = new Set([...text.matchAll(/^FROM .+ AS (\S+)/gm)].map(([, stage]) => stage));
  const sources = [...text.matchAll(/--from=(\S+)|--mount=\S*from=([^,\s]+)/g)].map(([, one, other]) => one ?? other);
  expect(sources.filter((source) => !stages.has(source))).toEqual([]);
});

it('the base image of a build is that of the Dockerfile by default', () => {
  expect(text).toContain(`ARG BASE=${BASE}\n`);
});

it('an image has compiled modules of the user that runs it', () => {
  const [, cache] = / NODE_COMPILE_CACHE=(\S+)\n/.exec(text) ?? [];
  const [, user] = /^USER (\S+)$/m.exec(text) ?? [];
  const [entry = ''] = /(?<=^ENTRYPOINT ).+$/m.exec(text) ?? [];
  const command: string[] = JSON.parse(entry);
  expect(cache).toMatch(/^\/app\//);
  const steps = text.slice(text.lastIndexOf('\nFROM '));
  expect(steps).toContain(`chown ${user} ${cache?.replace('/app/', '')}\nUSER ${user}\n`);
  expect(steps).toContain(`\nRUN ${command.join(' ')} --help > /dev/null\n`);
});

describe('the image of the gateway', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('has the guides of /docs', async () => {
    const [, command = ''] = /# The guides of [^\n]+\nRUN (.+?fi)\n/s.exec(text) ?? [];
    const commands = command.replaceAll(' /src/', ` ${root}/`);
    const ran = await runTool('sh', ['-c', `cd ${folder} && SERVICE=gateway && ${commands}`]);
    expect(ran).toEqual({ passed: true, output: '' });
    const list = await readFile(join(root, 'gateway/src/docs/guides.ts'), 'utf8');
    const guides = [...list.matchAll(/file: '([^']+\.md)'/g)].map(([, file]) => file ?? '');
    const context = await readFile(join(root, '.dockerignore'), 'utf8');
    expect(context.split('\n')).toEqual(
      expect.arrayContaining(['!README.md', '!SECURITY.md', '!docs/*.md', '!docs/samples']),
    );
    expect(guides.length).toBeGreaterThan(7);
    const copied = await readdir(folder, { recursive: true });
    expect(copied).toEqual(expect.arrayContaining([...guides, 'docs/samples/receiver.mjs']));
  });
});

describe('the image of npm run admin', () => {
  const folder = join(root, 'tools/admin');

  /** Files that the command imports, and packages. */
  async function followImports(file: string, seen: Set<string>, packages: Set<string>): Promise<void> {
    if (seen.has(file)) return;
    seen.add(file);
    const source = await readFile(file, 'utf8');
    for (const [, from = ''] of source.matchAll(/^(?:import\b.*|\}) from '([^']+)'/gm)) {
      if (from.startsWith('.') && from.endsWith('.ts')) await followImports(join(dirname(file), from), seen, packages);
      else if (from.startsWith('@survey/local/'))
        await followImports(join(root, `${from.replace('@survey/local', 'deploy/local')}.ts`), seen, packages);
      else if (!/^(?:\.|node:)/.test(from)) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? '');
    }
  }

  it('has all packages that the command imports', async () => {
    const [, folders = '', workspaces = ''] = /admin\) folders="(.+?)"; workspaces="(.+?)"/.exec(text) ?? [];
    const manifests = await Promise.all(
      workspaces.split(' ').map((name) => readFile(join(root, name, 'package.json'), 'utf8')),
    );
    const dependencies = Object.assign({}, ...manifests.map((manifest) => JSON.parse(manifest).dependencies));
    const [seen, packages] = [new Set<string>(), new Set<string>()];
    await followImports(join(folder, 'admin.ts'), seen, packages);
    expect(seen.size).toBeGreaterThan(15);
    const copied = folders.split(' ').map((name) => join(root, name));
    expect([...seen].filter((file) => !copied.some((name) => file.startsWith(`${name}/`)))).toEqual([]);
    expect([...packages].filter((name) => !(name in dependencies))).toEqual([]);
  });
});
