import { createSecretKey, randomBytes } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { createTenantCipher } from '@survey/runtime/crypto/tenant-cipher';
import { poll } from '@survey/runtime/testing/poll';
import { expect, it } from 'vitest';
import { CHUNK_BYTES } from './file.ts';
import { createFileReceiver } from './file-receiver.ts';
import { createFileSealer } from './file-sealer.ts';

it('reads no more of a file than it can store, however fast the file arrives', async () => {
  const tenantId = toTenantId('t1');
  const cipher = createTenantCipher(tenantId, new Map([[1, createSecretKey(randomBytes(32))]]));
  const cipherOf = () => Promise.resolve(cipher);
  const sealer = createFileSealer({ cipherOf, decrypt: () => Promise.reject(new Error('not called')) });
  let given = 0;
  let stored = 0;
  let store = Promise.withResolvers<void>();
  const receive = createFileReceiver({
    async addChunks(_file, _first, chunks) {
      await store.promise;
      stored += chunks.length * CHUNK_BYTES;
    },
  });
  async function* file() {
    for (let count = 0; count < 100; count += 1) {
      given += 65_536;
      yield new Uint8Array(65_536);
    }
  }
  const named = { id: 'f1', tenantId, surveyId: 's1', questionId: 'q1' };
  const received = receive({
    file: { ...named, filename: undefined, size: 0, deleteAt: new Date() },
    question: { id: 'q1', dataPath: '/data/q1', maxBytes: undefined, accept: [] },
    tenantSealer: await sealer.forTenant(tenantId),
    filename: undefined,
    declaredType: undefined,
    body: file(),
  });
  for (let count = 1; count <= 3; count += 1) {
    let seen = -1;
    await poll(() => {
      const isStill = seen === given && given > stored;
      seen = given;
      return isStill;
    });
    expect(given - stored).toBeLessThanOrEqual(5 * CHUNK_BYTES);
    const { resolve } = store;
    store = Promise.withResolvers();
    resolve();
  }
  store.resolve();
  expect(await received).toMatchObject({ size: 100 * 65_536, chunks: 25 });
});
