import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalog } from '@survey/proto/catalog';
import type { JWK } from 'jose';
import { createTokenMinter, type TokenMinter } from '../auth/internal-token.ts';
import { connectService, type ServiceConnection } from '../rpc/service-client.ts';

/** Key pairs of all services. Each service may call all others. */
export interface TestKeys {
  /** Path of a JWKS with all public keys. */
  readonly jwksFile: string;
  privateKeyOf(service: string): JWK;
  minterOf(service: string): Promise<TokenMinter>;
  /** Connects one service to another, at `host:port`. */
  connectAs(caller: string, name: string, address: string): Promise<ServiceConnection>;
  close(): Promise<void>;
}

const SERVICES = ['gateway', ...Object.keys(catalog), 'operator'];

/** Creates key pairs for a test file. `close` deletes their folder. */
export async function createTestKeys(): Promise<TestKeys> {
  const pairs = new Map(SERVICES.map((service) => [service, generateKeyPairSync('ed25519')] as const));
  const privateKeyOf = (service: string): JWK => {
    const pair = pairs.get(service);
    if (pair === undefined) throw new Error(`there is no key for ${service}`);
    return { ...pair.privateKey.export({ format: 'jwk' }), kid: `${service}-1` };
  };
  const minterOf = (service: string) => createTokenMinter({ service, privateKey: privateKeyOf(service) });
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
    minterOf,
    connectAs: async (caller, name, address) => connectService({ name, address, minter: await minterOf(caller) }),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
