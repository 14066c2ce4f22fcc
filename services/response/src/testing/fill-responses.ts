// A process that inserts encrypted responses into the database. Its argument is the path of a file with the task.
import { readFile } from 'node:fs/promises';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { DataKeyDocument } from '@survey/runtime/crypto/data-key';
import { createEnvelope } from '@survey/runtime/crypto/envelope';
import { parseKeyring } from '@survey/runtime/crypto/keyring';
import { MongoClient } from 'mongodb';
import { v7 } from 'uuid';
import type { Response, ResponseStatus } from '../responses/response.ts';
import { type ResponseDocument, toDocument } from '../responses/response-document-store.ts';
import { createResponseSealer } from '../responses/response-sealer.ts';
import { randomSamplingKey } from '../responses/sample-store.ts';

interface FillTask {
  readonly uri: string;
  readonly database: string;
  readonly keyring: string;
  readonly tenantId: string;
  readonly surveyId: string;
  readonly linkIds: readonly string[];
  /** Answers of consecutive responses, in rotation. */
  readonly answers: readonly Response['data'][];
  /** Numbers of the responses: `from` is included, `to` is not. */
  readonly from: number;
  readonly to: number;
}

const BATCH = 2_000;
/** Time between two responses. */
const EVERY_MS = 7_000;
/** Statuses of twenty consecutive responses. */
const STATUSES: readonly ResponseStatus[] = [
  ...Array<ResponseStatus>(17).fill('completed'),
  'in_progress',
  'abandoned',
  'disqualified',
];

const task: FillTask = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8'));
const client = new MongoClient(task.uri);
const db = client.db(task.database);
const keyring = parseKeyring(await readFile(task.keyring, 'utf8'));
const sealer = createResponseSealer(
  createEnvelope({
    collection: db.collection<DataKeyDocument>('data_keys'),
    keyring: async () => keyring,
    clock: () => new Date(),
  }),
);
const tenantId = toTenantId(task.tenantId);
const { seal } = await sealer.forTenant(tenantId);
const now = Date.now();

function toResponse(number: number): Response {
  const status = STATUSES[number % STATUSES.length] ?? 'completed';
  const begun = new Date(now - (number + 1) * EVERY_MS);
  const ended = status === 'completed' || status === 'disqualified' ? new Date(begun.getTime() + 60_000) : undefined;
  return {
    id: v7({ msecs: begun.getTime() }),
    tenantId,
    surveyId: task.surveyId,
    surveyVersion: 1,
    status,
    createdAt: begun,
    // A recent save, so that responses in progress are not abandoned.
    updatedAt: status === 'in_progress' ? new Date(now) : (ended ?? begun),
    startedAt: begun,
    completedAt: ended,
    language: number % 2 === 0 ? 'en' : 'de',
    linkId: task.linkIds[number % (task.linkIds.length + 1)],
    invitationId: undefined,
    externalId: undefined,
    revision: 1,
    data: task.answers[number % task.answers.length] ?? {},
    metadata: number % 3 === 0 ? { source: 'mail', n: number } : undefined,
  };
}

const responses = db.collection<ResponseDocument>('responses');
for (let from = task.from; from < task.to; from += BATCH) {
  const numbers = Array.from({ length: Math.min(BATCH, task.to - from) }, (_, index) => from + index);
  await responses.insertMany(
    numbers.map((number) => toDocument(seal(toResponse(number)), [], randomSamplingKey(Math.random))),
    { ordered: false },
  );
}
await client.close();
