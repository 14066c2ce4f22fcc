import { createHash } from 'node:crypto';
import { MongoClient } from 'mongodb';
import type { Caller } from './caller.ts';
import { sendAs } from './clients/client.ts';
import type { StoredResponse } from './compare.ts';
import type { ExpectedResponse, Violation } from './ledger.ts';

const RESPONSES = { database: 'survey-response', collection: 'responses' } as const;
/** The prefix of all databases of the platform. */
const DATABASES = /^survey-/;

/** The items on all pages of a list. */
async function listAll(caller: Caller, path: string) {
  // biome-ignore lint/suspicious/noExplicitAny: callers read the members that they need
  const items: any[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { headers, body } = await sendAs({ caller }, { method: 'GET', path: next }, 200);
    items.push(...body);
    next = /<([^>]*)>/.exec(headers.get('link') ?? '')?.[1];
  }
  return items;
}

export async function listSurveyIds(caller: Caller): Promise<ReadonlySet<string>> {
  return new Set((await listAll(caller, '/v1/surveys?limit=1000')).map(({ id }) => String(id)));
}

/** Lists the responses to a survey. Reports a violation if the count differs. */
export async function listStored(
  caller: Caller,
  surveyId: string,
  report: (violation: Violation) => void,
): Promise<readonly Omit<StoredResponse, 'revision'>[]> {
  const listed = await listAll(caller, `/v1/surveys/${surveyId}/responses?limit=1000`);
  const counted = await sendAs({ caller }, { method: 'GET', path: `/v1/surveys/${surveyId}/responses/count` }, 200);
  if (counted.body.count !== listed.length)
    report({ kind: 'count', detail: `survey ${surveyId}: ${counted.body.count} counted, ${listed.length} listed` });
  return listed.map(({ id, status, data, metadata }) => ({
    id,
    surveyId,
    status,
    comment: String(data.comment),
    key: String(metadata?.key),
  }));
}

/** Describes undelivered deliveries of a webhook, some of each status. */
export async function listUndelivered(caller: Caller, webhookId: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const status of ['pending', 'failed']) {
    const path = `/v1/webhooks/${webhookId}/deliveries?status=${status}&limit=20`;
    const { body } = await sendAs({ caller }, { method: 'GET', path }, 200);
    for (const { event_type: type, payload, attempts, failure_reason: reason, next_attempt_at: next } of body) {
      const about = payload.data.response_id ?? payload.data.survey_id;
      lines.push(`${type} ${about}: ${status} ${reason ?? ''} next ${next}, ${JSON.stringify(attempts.at(-1))}`);
    }
  }
  return lines;
}

/** Hashes of available files of responses, by file id. */
export async function hashFiles(
  caller: Caller,
  responses: Iterable<ExpectedResponse>,
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const { file } of responses) {
    if (file === undefined) continue;
    const { status, bytes } = await sendAs({ caller }, { method: 'GET', path: `/v1/files/${file.id}` }, 200, 404);
    if (status === 200) hashes.set(file.id, createHash('sha256').update(bytes).digest('hex'));
  }
  return hashes;
}

/** Repeats the requests that created these deleted responses. They must not restore any. */
export async function repeatDeleted(
  caller: Caller,
  responses: Iterable<ExpectedResponse>,
): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  for (const { id, createRequest } of responses) {
    if (createRequest === undefined) continue;
    const { status, body } = await caller.send({ method: 'POST', ...createRequest });
    // A full survey can return its own error first.
    if (status !== 410 && status !== 409)
      violations.push({ kind: 'deleted response made anew', detail: `${id}: ${status} ${JSON.stringify(body)}` });
  }
  return violations;
}

/** Data that only MongoDB has. */
export interface Database {
  /** The revisions of responses to some surveys, by id. */
  revisions(surveyIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The number of documents with unpublished events, by collection. */
  outboxes(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

export function connectDatabase(uri: string): Database {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 30_000 });
  return {
    async revisions(surveyIds) {
      const found = client
        .db(RESPONSES.database)
        .collection<{ _id: string; revision: number }>(RESPONSES.collection)
        .find({ survey_id: { $in: surveyIds } }, { projection: { revision: 1 } });
      return new Map((await found.toArray()).map(({ _id, revision }) => [_id, revision]));
    },
    async outboxes() {
      const waiting = new Map<string, number>();
      const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
      for (const { name } of databases) {
        if (!DATABASES.test(name)) continue;
        for (const collection of await client.db(name).collections()) {
          const count = await collection.countDocuments({ 'outbox.at': { $exists: true } });
          waiting.set(collection.namespace, count);
        }
      }
      return waiting;
    },
    close: () => client.close(),
  };
}
