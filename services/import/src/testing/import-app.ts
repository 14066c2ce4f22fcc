import { randomUUID } from 'node:crypto';
import { connectService, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import { createTestConfig } from '@survey/runtime/testing/test-config';
import { createTestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import { MongoClient } from 'mongodb';
import { createImportApp } from '../app.ts';
import type { ImportDocument } from '../imports/import-store.ts';
import { startFakeServices } from './fake-services.ts';

export const ALL_PERMISSIONS = ['surveys:import', 'responses:import'];

/** Who calls; a tenant of its own, that may do everything, unless told otherwise. */
export interface Caller {
  readonly tenantId?: string;
  readonly permissions?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

export type TestApp = Awaited<ReturnType<typeof startImportApp>>;

/** The import service on a database of its own, with stand-ins for the services that it calls. */
export async function startImportApp() {
  const keys = await createTestKeys();
  const fakes = await startFakeServices(keys);
  const config = createTestConfig('import', keys);
  const { surveyGrpcAddress, responseGrpcAddress, state } = fakes;
  const app = await createImportApp({ ...config, surveyGrpcAddress, responseGrpcAddress }, testLog);
  const { httpPort, grpcPort } = await app.start();
  const client = new MongoClient(config.mongodbUri);
  const db = client.db(config.mongodbDatabase);

  return {
    db,
    fakes: state,
    /** Makes the stand-ins what they were at first, but for what they keep. */
    reset() {
      state.batches.length = 0;
      state.batchesUntilAway = undefined;
      state.refusal = undefined;
      state.beforeBatch = async () => {};
    },
    async post(path: string, body: unknown, caller: Caller = {}) {
      const { tenantId = randomUUID(), permissions = ALL_PERMISSIONS, headers = {} } = caller;
      const minter = await keys.minterOf('gateway');
      const token = await minter.mint('import', { tenantId, subject: 'user-1', permissions: [...permissions] });
      const response = await fetch(`http://127.0.0.1:${httpPort}/v1${path}`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
    },
    async connect(): Promise<ServiceConnection> {
      const minter = await keys.minterOf('gateway');
      return connectService({ name: 'import', address: `127.0.0.1:${grpcPort}`, minter });
    },
    recordsOf: (tenantId: string) =>
      db
        .collection<ImportDocument>('imports')
        .find({ tenant_id: tenantId as never })
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
