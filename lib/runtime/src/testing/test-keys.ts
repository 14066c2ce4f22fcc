import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalog } from '@survey/proto/catalog';
import type { JWK } from 'jose';
import { createTokenMinter, type TokenMinter } from '../auth/internal-token.ts';

/** Services of a test, each with a key pair of its own that may call all of them. */
export interface TestKeys {
  /** JWKS with the public keys of all of them. */
  readonly jwksFile: string;
  privateKeyOf(service: string): JWK;
  minterOf(service: string): Promise<TokenMinter>;
  close(): Promise<void>;
}

const SERVICES = ['gateway', ...Object.keys(catalog), 'operator'];

/** Key pairs for the tests of a file; the folder is gone after `close`. */
export async function createTestKeys(): Promise<TestKeys> {
  const pairs = new Map(SERVICES.map((service) => [service, generateKeyPairSync('ed25519')] as const));
  const privateKeyOf = (service: string): JWK => {
    const pair = pairs.get(service);
    if (pair === undefined) throw new Error(`there is no key for ${service}`);
    return { ...pair.privateKey.export({ format: 'jwk' }), kid: `${service}-1` };
  };
  const keys = [...pairs].map(([service, { publicKey }]) => ({
    ...publicKey.export({ format: 'jwk' }),
    kid: `${service}-1`,
    caller: service,
    may_call: SERVICES,
  }));
  const folder = await mkdtemp(join(tmpdir(), 'survey-keys-'));
  const jwksFile = join(folder, 'jwks.json');
  await writeFile(jwksFile, JSON.stringify({ keys }));
  return {
    jwksFile,
    privateKeyOf,
    minterOf: (service) => createTokenMinter({ service, privateKey: privateKeyOf(service) }),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
