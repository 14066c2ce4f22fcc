// A process that goes on submitting to a survey with a limit until it is killed or refused. It writes the id of each
// response that it was told is stored.
import { setTimeout as pause } from 'node:timers/promises';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { connectMongo } from '@survey/runtime/mongo/connect-mongo';
import { testLog } from '@survey/runtime/testing/test-log';
import { Registry } from 'prom-client';
import { createLedgerStore, type LedgerDocument } from '../limits/ledger-store.ts';
import type { ResponseDocument } from '../responses/response-store.ts';
import { newApplicant, newSealed } from './applicants.ts';
import { createTestWindows } from './test-windows.ts';

const [uri = '', database = '', tenant = '', surveyId = '', max = ''] = process.argv.slice(2);
const { db } = await connectMongo({ uri, database, log: testLog, registry: new Registry() });
const store = createLedgerStore({
  ledgers: db.collection<LedgerDocument>('ledgers'),
  responses: db.collection<ResponseDocument>('responses'),
  windows: createTestWindows(db),
  random: Math.random,
  onEvent: () => {},
  clock: () => new Date(),
});
const survey = { tenantId: toTenantId(tenant), surveyId };
const limits = [{ linkId: undefined, max: Number(max) }];
for (;;) {
  const applicants = [1, 2, 3].map(() => newApplicant(newSealed(survey), limits));
  const outcomes = await store.admit(survey, applicants);
  const stored = applicants.filter((_, index) => outcomes[index] === 'stored');
  for (const { response } of stored) process.stdout.write(`${response.id}\n`);
  if (outcomes.every((outcome) => typeof outcome === 'object')) break;
  await pause(1);
}
process.exit(0);
