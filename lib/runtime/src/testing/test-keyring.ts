import { randomBytes } from 'node:crypto';
import { type Keyring, parseKeyring } from '../crypto/keyring.ts';

export function createTestKeyring(): Keyring {
  return parseKeyring(JSON.stringify({ active: 'k1', keys: { k1: randomBytes(32).toString('base64') } }));
}
