import { randomUUID } from 'node:crypto';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import { createTestConfig } from '@survey/runtime/testing/test-config';
import { createTestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import { MongoClient } from 'mongodb';
import { createImportApp } from '../app.ts';
import type { ImportDocument } from '../imports/import-document.ts';
import { startFakeServices } from './fake-services.ts';

export const ALL_PERMISSIONS = ['surveys:import', 'responses:import', 'imports:read', 'imports:write'];
const MAX_BYTES = 64 * 1024 * 1024;

/** The caller. By default, a new tenant with all permissions. */
export interface Caller {
  readonly tenantId?: string;
  readonly subject?: string;
  readonly signal?: AbortSignal;
  readonly permissions?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

export type TestApp = Awaited<ReturnType<typeof startImportApp>>;

/** The import service with its own database and fakes of other services. */
export async function startImportApp() {
  const keys = await createTestKeys();
  const fakes = await startFakeServices(keys);
  const config = createTestConfig('import', keys);
  const { surveyGrpcAddress, responseGrpcAddress, state } = fakes;
  const app = await createImportApp(
    { ...config, surveyGrpcAddress, responseGrpcAddress, importLeaseMs: 15_000, importMaxBytes: MAX_BYTES },
    testLog,
  );
  const { httpPort, grpcPort, adminPort } = await app.start();
  const client = new MongoClient(config.mongodbUri);
  const db = client.db(config.mongodbDatabase);

  async function send(path: string, body: string | ReadableStream | undefined, caller: Caller = {}) {
    const { tenantId = randomUUID(), subject = 'user-1', permissions = ALL_PERMISSIONS, headers = {}, signal } = caller;
    const minter = await keys.minterOf('gateway');
    const token = await minter.mint('import', { tenantId, subject, permissions: [...permissions] });
    const response = await fetch(`http://127.0.0.1:${httpPort}/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body, duplex: 'half' }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await response.text();
    const isJson =
      response.headers.get('content-type')?.includes('json') &&
      !response.headers.get('content-type')?.includes('ndjson');
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  }

  return {
    db,
    fakes: state,
    /** Resets the fakes, except for their data. */
    reset() {
      state.batches.length = 0;
      state.batchesUntilAway = undefined;
      state.rejection = undefined;
      state.beforeBatch = async () => {};
    },
    post: (path: string, body: unknown, { headers, ...caller }: Caller = {}) =>
      send(path, JSON.stringify(body), { ...caller, headers: { 'content-type': 'application/json', ...headers } }),
    send,
    get: (path: string, caller: Caller = {}) => send(path, undefined, caller),
    connect: (): Promise<ServiceConnection> => keys.connectAs('gateway', 'import', `127.0.0.1:${grpcPort}`),
    metrics: async () => (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text(),
    importsOf: (tenantId: string) =>
      db
        .collection<ImportDocument>('imports')
        .find({ tenant_id: tenantId as never }, { sort: { created_at: 1, _id: 1 } })
        .toArray(),
    async close(): Promise<void> {
      await app.stop();
      await fakes.close();
      await keys.close();
      await db.dropDatabase();
      await client.close();
    },
  };
}
