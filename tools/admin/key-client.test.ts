import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureKeys, type KeyFiles } from '@survey/local/stack/keys';
import type { Backend } from '@survey/proto/catalog';
import { AppError } from '@survey/runtime/errors/app-error';
import { createKeyHandler } from '@survey/runtime/service/key-module';
import { startTestServer } from '@survey/runtime/testing/rpc/test-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyClient } from './key-client.ts';

const tenantId = randomUUID();
const healthy = { rotate: async () => 2, rewrap: async () => ({ activeKey: 'k2', rewrapped: 3, remaining: 0 }) };
const broken = {
  rotate: () => Promise.reject(new AppError('UNAVAILABLE')),
  rewrap: () => Promise.reject(new AppError('UNAVAILABLE')),
};

let folder: string;
let files: KeyFiles;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-'));
  files = await ensureKeys(folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs an operation on services of which one fails and one is unreachable. */
async function withServices<T>(run: (addressOf: (name: Backend) => string) => Promise<T>): Promise<T> {
  const start = (name: Backend, envelope: typeof healthy | typeof broken) =>
    startTestServer({
      name,
      jwksFile: files.internalJwks,
      serves: [createKeyHandler({ envelope, tenants: { statusOf: async () => 'active' } })],
    });
  const servers = {
    identity: await start('identity', healthy),
    survey: await start('survey', broken),
    response: await start('response', healthy),
    import: await start('import', healthy),
  };
  try {
    return await run((name) => (name === 'webhook' ? '127.0.0.1:1' : servers[name].address));
  } finally {
    for (const server of Object.values(servers)) await server.close();
  }
}

describe('the key client', () => {
  it('calls every service, and reports those that failed or are unreachable', async () => {
    await withServices(async (addressOf) => {
      const client = await createKeyClient(folder, addressOf);
      const rotated = await client.rotate(tenantId);
      const version = { version: 2 };
      expect(rotated.done).toEqual({ identity: version, response: version, import: version });
      expect(rotated.failed).toMatchObject({ survey: { code: 'UNAVAILABLE' }, webhook: { code: 'UNAVAILABLE' } });
      const rewrapped = await client.rewrap();
      const counts = { active_key: 'k2', rewrapped: 3, remaining: 0 };
      expect(rewrapped.done).toEqual({ identity: counts, response: counts, import: counts });
      expect(Object.keys(rewrapped.failed).sort()).toEqual(['survey', 'webhook']);
      client.close();
    });
  });
});
