import { randomBytes } from 'node:crypto';
import type { DataKeyDocument } from '@survey/runtime/crypto/data-key';
import { createEnvelope } from '@survey/runtime/crypto/envelope';
import { parseKeyring } from '@survey/runtime/crypto/keyring';
import type { Db } from 'mongodb';
import { createSliceStore, type SliceDocument } from '../slices/slice-store.ts';

const keyring = parseKeyring(JSON.stringify({ active: 'k', keys: { k: randomBytes(32).toString('base64') } }));

/** The stored time slices of a new process. All processes of a test have the same keyring. */
export function createTestSlices(db: Db) {
  const envelope = createEnvelope({
    collection: db.collection<DataKeyDocument>('data_keys'),
    keyring: async () => keyring,
    clock: () => new Date(),
  });
  return createSliceStore({ collection: db.collection<SliceDocument>('count_slices'), envelope });
}
