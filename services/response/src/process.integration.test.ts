import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { DataKeyDocument } from '@survey/runtime/crypto/data-key';
import { createEnvelope } from '@survey/runtime/crypto/envelope';
import { parseKeyring } from '@survey/runtime/crypto/keyring';
import { processEnv } from '@survey/runtime/testing/processes/process-env';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { createTestKeys, type TestKeys } from '@survey/runtime/testing/test-keys';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const newKey = () => randomBytes(32).toString('base64');
let keys: TestKeys;
let database: TestDatabase;

beforeAll(async () => {
  keys = await createTestKeys();
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  await keys.close();
});

/** Starts the service like its image, until it exits. */
function run(
  keyring: string,
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly output: string }> {
  const env = {
    HOST: '127.0.0.1',
    HTTP_PORT: '0',
    GRPC_PORT: '0',
    ADMIN_PORT: '0',
    MONGODB_URI: inject('mongodbUri'),
    MONGODB_DATABASE: database.db.databaseName,
    KAFKA_BROKERS: inject('kafkaBrokers'),
    KAFKA_TOPIC_REPLICATION: '1',
    INTERNAL_KEY: JSON.stringify(keys.privateKeyOf('response')),
    INTERNAL_JWKS_FILE: keys.jwksFile,
    SURVEY_GRPC_ADDRESS: '127.0.0.1:1',
    ENCRYPTION_KEYRING: keyring,
    // A process that never served must not wait for this time, which exceeds the time limit of the test.
    DRAIN_MS: '600000',
  };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { env: processEnv(env) });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('close', (code) => resolve({ code, output }));
  });
}

describe('the process', () => {
  it('creates indexes and topics with the argument setup, and exits immediately', async () => {
    const keyring = JSON.stringify({ active: 'k1', keys: { k1: newKey() } });
    // Two set-ups can run at the same time.
    for (const { code, output } of await Promise.all([run(keyring, 'setup'), run(keyring, 'setup')])) {
      expect(code, output).toBe(0);
      expect(output).not.toContain('listening');
    }
    const indexes = await database.db.collection('responses').indexes();
    expect(indexes.length).toBeGreaterThan(1);
  });

  it('exits immediately and names the key if it lacks a key of the answers', async () => {
    const used = parseKeyring(JSON.stringify({ active: 'spring-2026', keys: { 'spring-2026': newKey() } }));
    const collection = database.db.collection<DataKeyDocument>('data_keys');
    const envelope = createEnvelope({ collection, keyring: async () => used, clock: () => new Date() });
    await envelope.cipherOf(toTenantId(randomUUID()));

    const secret = newKey();
    const { code, output } = await run(JSON.stringify({ active: 'autumn-2026', keys: { 'autumn-2026': secret } }));
    expect(code).toBe(1);
    expect(output).toContain('The keyring lacks keys that wrap data keys in the database: spring-2026');
    expect(output).not.toContain(secret);
  });

  it('exits immediately if the keyring is invalid, and does not quote it', async () => {
    const secret = newKey();
    const { code, output } = await run(`{"active":"k1","keys":{"k1":"${secret}"`);
    expect(code).toBe(1);
    expect(output).toContain('ENCRYPTION_KEYRING Invalid keyring: it must be a JSON object');
    expect(output).not.toContain(secret);
  });
});
