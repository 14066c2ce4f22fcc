import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUNDLE_ARGS } from '@survey/local/stack/start-processes';
import { BASE } from '@survey/tools/cluster/image-commands';
import { DOCKERFILE } from '@survey/tools/cluster/names';
import { expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

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
  expect(command).toEqual(['node', ...BUNDLE_ARGS]);
  expect(cache).toMatch(/^\/app\//);
  const steps = text.slice(text.lastIndexOf('\nFROM '));
  expect(steps).toContain(`chown ${user} ${cache?.replace('/app/', '')}\nUSER ${user}\n`);
  expect(steps).toContain(`\nRUN ${command.join(' ')} --help > /dev/null\n`);
});
