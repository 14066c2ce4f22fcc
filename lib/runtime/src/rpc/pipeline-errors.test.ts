import { MongoNetworkError, MongoServerError } from 'mongodb';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { Caller } from '../auth/caller.ts';
import { anyone, createTestService } from '../testing/rpc/test-contract.ts';
import { testLog } from '../testing/test-log.ts';
import { createPipeline } from './pipeline.ts';

const caller: Caller = { service: 'gateway', tenantId: undefined, subject: undefined, permissions: new Set() };

it.each([
  ['ALREADY_EXISTS', new MongoServerError({ message: 'taken', code: 11_000 })],
  ['UNAVAILABLE', new MongoNetworkError('gone')],
  ['INTERNAL', new MongoServerError({ message: 'rejected', code: 18 })],
])('a call fails with %s, depending on the error of the database', async (code, error) => {
  const pipeline = createPipeline({ verifier: { verify: async () => caller }, log: testLog, registry: new Registry() });
  const [method] = createTestService([{ name: 'Call', access: anyone }]).methods;
  if (method === undefined) throw new Error('the service has one method');
  const run = pipeline.run(
    'rest',
    method,
    () => 'Bearer a.b.c',
    () => Promise.reject(error),
  );
  await expect(run).rejects.toMatchObject({ code, cause: error });
});
