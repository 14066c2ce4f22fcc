import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Backend } from '@survey/proto/catalog';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { writePrivateFile } from '../process/files.ts';
import { serviceNames, services } from './services.ts';

/** All processes that sign internal tokens, with the services that accept them. */
export const CALLERS: Readonly<Record<string, readonly Backend[]>> = {
  gateway: serviceNames,
  operator: serviceNames,
  ...Object.fromEntries(Object.entries(services).map(([name, { calls }]) => [name, calls])),
};

/** Key files that the processes read. */
export interface KeyFiles {
  readonly internalJwks: string;
  readonly encryptionKeyring: string;
  readonly issuerJwks: string;
  /** A JSON string: the bearer token of `/metrics` of the gateway. */
  readonly metricsToken: string;
  readonly internalKeyOf: (caller: string) => string;
}

export function toKeyFiles(folder: string): KeyFiles {
  return {
    internalJwks: join(folder, 'internal-jwks.json'),
    encryptionKeyring: join(folder, 'encryption-keyring.json'),
    issuerJwks: join(folder, 'issuer-jwks.json'),
    metricsToken: join(folder, 'metrics-token.json'),
    internalKeyOf: (caller) => join(folder, `internal-${caller}.json`),
  };
}

/** Creates missing keys, and writes the sets of public keys. */
export async function ensureKeys(folder: string): Promise<KeyFiles> {
  const files = toKeyFiles(folder);
  const callers = Object.entries(CALLERS).map(async ([caller, mayCall]) => {
    const key = await ensureFile(files.internalKeyOf(caller), () => withKeyId(makeEd25519()));
    return { ...toPublic(key), caller, may_call: mayCall };
  });
  await writePrivateFile(files.internalJwks, { keys: await Promise.all(callers) });
  await ensureFile(files.encryptionKeyring, async () => ({
    active: 'k1',
    keys: { k1: randomBytes(32).toString('base64') },
  }));
  await ensureFile(files.metricsToken, async () => randomBytes(32).toString('hex'));
  const issuer = await ensureFile(issuerKeyFile(folder), () => withKeyId(makeP256()));
  await writePrivateFile(files.issuerJwks, { keys: [{ ...toPublic(issuer), alg: 'ES256', use: 'sig' }] });
  return files;
}

const CREATE_REMEDY = 'run "npm start" once to create it';

/** Private key of the development issuer, which replaces the tenants' identity provider. */
export async function loadIssuerKey(folder: string): Promise<JWK> {
  return loadKey(
    issuerKeyFile(folder),
    `${CREATE_REMEDY}. Only the local stack has this key: other installations have their own issuers`,
  );
}

/** Private key with which operators sign their calls. */
export async function loadOperatorKey(folder: string): Promise<JWK> {
  const file = toKeyFiles(folder).internalKeyOf('operator');
  return loadKey(file, `${CREATE_REMEDY}. In a cluster, it is in the Secret survey-internal-operator`);
}

/** Reads a private key. Throws an error with the remedy if that fails. */
export async function loadKey(file: string, remedy = CREATE_REMEDY): Promise<JWK> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as JWK;
  } catch (cause) {
    throw new Error(`cannot read ${file}: ${remedy}`, { cause });
  }
}

function issuerKeyFile(folder: string): string {
  return join(folder, 'issuer.json');
}

function makeEd25519(): JWK {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
}

function makeP256(): JWK {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
}

async function withKeyId(key: JWK): Promise<JWK> {
  return { ...key, kid: await calculateJwkThumbprint(key) };
}

function toPublic({ d: _, ...publicKey }: JWK): JWK {
  return publicKey;
}

async function ensureFile<T>(path: string, make: () => Promise<T>): Promise<T> {
  const saved = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  // The cast is safe: an earlier run wrote the file with the same `make`.
  if (saved !== undefined) return JSON.parse(saved) as T;
  const made = await make();
  await writePrivateFile(path, made);
  return made;
}
