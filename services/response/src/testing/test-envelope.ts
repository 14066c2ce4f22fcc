import { randomBytes } from 'node:crypto';
import type { DataKeyDocument } from '@survey/runtime/crypto/data-key';
import { createEnvelope } from '@survey/runtime/crypto/envelope';
import { parseKeyring } from '@survey/runtime/crypto/keyring';
import type { Db } from 'mongodb';

const keyring = parseKeyring(JSON.stringify({ active: 'k', keys: { k: randomBytes(32).toString('base64') } }));

/** The encryption of a new process. All processes of a test file have the same keyring. */
export function createTestEnvelope(db: Db) {
  return createEnvelope({
    collection: db.collection<DataKeyDocument>('data_keys'),
    keyring: async () => keyring,
    clock: () => new Date(),
  });
}
