// A process that submits to a survey until its limit is reached. It prints the id of each stored response.

import { setTimeout as pause } from 'node:timers/promises';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { connectMongo } from '@survey/runtime/mongo/connect-mongo';
import { testLog } from '@survey/runtime/testing/test-log';
import { Registry } from 'prom-client';
import type { ResponseDocument } from '../responses/response-document-store.ts';
import { createLedgerStore, type LedgerDocument } from '../seats/ledger-store.ts';
import { newPendingResponse, newSealed } from './new-response.ts';
import { createTestWindows, testStopwatch } from './test-stores.ts';

const [uri = '', database = '', tenant = '', surveyId = '', max = ''] = process.argv.slice(2);
const { db } = await connectMongo({ uri, database, log: testLog, registry: new Registry() });
const store = createLedgerStore({
  ledgers: db.collection<LedgerDocument>('ledgers'),
  responses: db.collection<ResponseDocument>('responses'),
  windows: createTestWindows(db),
  random: Math.random,
  onEvent: () => {},
  clock: () => new Date(),
  startStopwatch: testStopwatch,
});
const survey = { tenantId: toTenantId(tenant), surveyId };
const limits = [{ linkId: undefined, max: Number(max) }];
for (;;) {
  const pendingResponses = [1, 2, 3].map(() => newPendingResponse(newSealed(survey), limits));
  const outcomes = await store.admit(survey, pendingResponses);
  const stored = pendingResponses.filter((_, index) => outcomes[index] === 'stored');
  for (const { response } of stored) process.stdout.write(`${response.id}\n`);
  if (outcomes.every((outcome) => typeof outcome === 'object')) break;
  await pause(1);
}
process.exit(0);
