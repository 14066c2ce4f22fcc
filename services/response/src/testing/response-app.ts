import { parseRanges } from '@survey/runtime/flow/client-address';
import { poll } from '@survey/runtime/testing/poll';
import { createTestConfig } from '@survey/runtime/testing/test-config';
import { createTestDatabase } from '@survey/runtime/testing/test-database';
import { createTestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import type { Db } from 'mongodb';
import { createResponseApp } from '../app.ts';
import type { ResponseConfig } from '../config.ts';
import type { ResponseDocument } from '../responses/response-document-store.ts';
import type { LedgerDocument } from '../seats/ledger-store.ts';
import type { LinkDocument } from '../surveys/link-store.ts';
import { startFakeSurveyService } from './fake-survey-service.ts';

/** A reply with its body as parsed JSON, or as text. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the members that they need
  readonly body: any;
}

interface Call {
  /** Undefined for a call of a respondent. */
  readonly tenantId?: string;
  readonly permissions?: readonly string[];
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type TestApp = Awaited<ReturnType<typeof startResponseApp>>;

/** Starts the service with a fake survey service and its own database. */
export async function startResponseApp(overrides: Partial<ResponseConfig> = {}) {
  const keys = await createTestKeys();
  const gateway = await keys.minterOf('gateway');
  const survey = await startFakeSurveyService(keys);
  const database = await createTestDatabase();
  const config = {
    ...createTestConfig('response', keys),
    mongodbDatabase: database.db.databaseName,
    surveyGrpcAddress: survey.address,
    abandonedAfterHours: 1,
    metricsMaxSeries: 20_000,
    deletionsKeptDays: 30,
    submitsPerMinute: 600,
    uploadsPerMinute: 300,
    failedLookupsPerMinute: 300,
    unlimitedRanges: parseRanges([]),
    ...overrides,
  };
  let app = await createResponseApp(config, testLog);
  let ports = await app.start();

  async function authorizationOf(tenantId: string | undefined, permissions: readonly string[]): Promise<string> {
    const subject = tenantId === undefined ? undefined : 'user-1';
    return `Bearer ${await gateway.mint('response', { tenantId, subject, permissions })}`;
  }

  async function call(method: string, path: string, { tenantId, permissions, body, headers }: Call = {}) {
    const authorization = await authorizationOf(tenantId, permissions ?? ['responses:read', 'responses:write']);
    const response = await fetch(`http://127.0.0.1:${ports.httpPort}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const reply: Reply = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : isJson(response.headers) ? JSON.parse(text) : text,
    };
    return reply;
  }

  return {
    survey,
    keys,
    call,
    authorizationOf,
    /** Submits as a respondent. */
    submit: (surveyId: string, body: unknown, headers?: Readonly<Record<string, string>>) =>
      call('POST', `/v1/public/surveys/${surveyId}/responses`, { body, ...(headers && { headers }) }),
    db: database.db,
    responses: database.db.collection<ResponseDocument>('responses'),
    links: database.db.collection<LinkDocument>('links'),
    ledgers: database.db.collection<LedgerDocument>('ledgers'),
    ports: () => ports,
    metrics: async () => (await fetch(`http://127.0.0.1:${ports.adminPort}/metrics`)).text(),
    /** Stops the survey service during `run`. Waits until it is available again. */
    async withoutSurvey(run: () => Promise<void>) {
      await survey.stop();
      try {
        await run();
      } finally {
        await survey.start();
        await poll(async () => (await call('GET', `/v1/public/surveys/${survey.add().surveyId}`)).status === 200);
      }
    },
    async restart() {
      await app.stop();
      app = await createResponseApp(config, testLog);
      ports = await app.start();
    },
    async close() {
      await app.stop();
      await survey.stop();
      await database.drop();
      await keys.close();
    },
  };
}

function isJson(headers: Headers): boolean {
  return /^application\/(problem\+)?json\b/.test(headers.get('content-type') ?? '');
}

/** Counts the queries for responses of a tenant, with the profiler of MongoDB. */
export async function watchReads(db: Db, tenantId: string) {
  await db.command({ profile: 2 });
  return {
    async stop(): Promise<number> {
      await db.command({ profile: 0 });
      const profile = db.collection('system.profile');
      const count = await profile.countDocuments({ 'command.find': 'responses', 'command.filter.tenant_id': tenantId });
      await profile.drop();
      return count;
    },
  };
}
