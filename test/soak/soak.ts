import { setTimeout as sleep } from 'node:timers/promises';
import { connectOperator } from '@survey/local/operator/operator-client';
import { issueToken } from '@survey/local/stack/issuer';
import { poll } from '@survey/runtime/testing/poll';
import { createRandom } from '@survey/runtime/testing/seeded-random';
import { createLimitedSurveys, type LimitedSurveys } from '../support/faults/respondents.ts';
import { createCaller } from './caller.ts';
import { type Client, type ClientContext, publicTarget, sendAs, submit } from './clients/client.ts';
import { createCorrector } from './clients/corrector.ts';
import { createImporter } from './clients/importer.ts';
import {
  createLimitedRespondent,
  createPlainRespondent,
  createSlowRespondent,
  createTokenHolder,
  createUploader,
} from './clients/respondents.ts';
import { createSurveyAuthor, publishSurvey } from './clients/surveys.ts';
import {
  connectDatabase,
  type Database,
  hashFiles,
  listStored,
  listSurveyIds,
  listUndelivered,
  repeatDeleted,
} from './collect.ts';
import {
  compareDelivered,
  compareFiles,
  compareKnown,
  compareLimits,
  compareOutboxes,
  compareStored,
  compareSurveys,
  findUncertain,
  type StoredResponse,
} from './compare.ts';
import { watchCost } from './cost.ts';
import { runFaults } from './faults/run-faults.ts';
import { planFaults } from './faults/schedule.ts';
import { createLedger, type Violation } from './ledger.ts';
import { type Platform, startPlatform } from './platform.ts';
import { type SoakReceiver, startSoakReceiver } from './receiver.ts';

export interface SoakOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Requests per second of all clients together. */
  readonly requestsPerSecond: number;
  /** The folder for all files. */
  readonly folder: string;
  readonly log: (line: string) => void;
  /** Aborts the soak without a comparison. */
  readonly signal: AbortSignal;
}

/** The results and the cost of a soak. */
export interface SoakOutcome {
  readonly violations: readonly Violation[];
  readonly faults: ReadonlyMap<string, number>;
  readonly acknowledged: ReadonlyMap<string, number>;
  readonly outcomes: ReadonlyMap<string, number>;
  readonly cpuSeconds: ReadonlyMap<string, number>;
  readonly stored: number;
  readonly webhookAttempts: number;
}

const LIMIT = 40;
const TOKEN_SECONDS = 24 * 3600;
/** Maximum time from the end of faults until all requests have replies. */
const ANSWERED_MS = 120_000;
/** Maximum time from then until all events are delivered. */
const DELIVERED_MS = 240_000;
const READY = { timeoutMs: 60_000 };
/** Number of deleted responses whose requests are repeated. */
const MOST_REPEATED = 1_000;

const RESPONSE_EVENTS = ['response.submitted', 'response.updated', 'response.deleted'];
const webhooks = [
  { name: 'with answers', eventTypes: [...RESPONSE_EVENTS, 'survey.*'], includesAnswers: true },
  { name: 'without answers', eventTypes: ['response.submitted', 'response.deleted'], includesAnswers: false },
] as const;

export async function runSoak(options: SoakOptions): Promise<SoakOutcome> {
  const { folder, log, signal } = options;
  const cleanup = new AsyncDisposableStack();
  try {
    const platform = await startPlatform({ folder, log, signal });
    cleanup.defer(platform.stop);
    return await soak(options, platform, cleanup);
  } finally {
    log('stopping');
    await cleanup.disposeAsync();
  }
}

async function soak(options: SoakOptions, platform: Platform, cleanup: AsyncDisposableStack): Promise<SoakOutcome> {
  const { seconds, seed, requestsPerSecond, log, signal } = options;
  const random = createRandom(seed);
  const token = await createTenantToken(platform);
  const ledger = createLedger();
  const giveUp = new AbortController();
  const stopping = new AbortController();
  for (const each of [giveUp, stopping]) signal.addEventListener('abort', () => each.abort());
  const caller = createCaller({ gateway: platform.gateway, token, ledger, requestsPerSecond, giveUp: giveUp.signal });
  const context: ClientContext = { caller, ledger, random, stopping: stopping.signal };

  const receivers: SoakReceiver[] = [];
  const webhookIds: string[] = [];
  for (const { name, eventTypes, includesAnswers } of webhooks) {
    const receiver = await startSoakReceiver(random);
    cleanup.defer(receiver.close);
    receivers.push(receiver);
    const { url } = await platform.addLine(`webhook to receiver ${name}`, receiver.port);
    const body = { url, event_types: eventTypes, include_answers: includesAnswers };
    const made = await sendAs(context, { method: 'POST', path: '/v1/webhooks', body }, 201);
    webhookIds.push(made.body.id);
  }
  const surveyId = await publishSurvey(context, {});
  const limited = createLimitedSurveys(() => publishSurvey(context, { response_limit: LIMIT }));
  await caller.send({ method: 'GET', path: `/v1/public/surveys/${surveyId}` });

  const rows = planFaults(seed, seconds, {
    processes: stress(platform.processes.map(({ name }) => name).filter((name) => name.includes('-'))),
    lines: stress(platform.lines.map(({ name }) => name)),
    databases: stress(['survey-identity', 'survey-survey', 'survey-response', 'survey-webhook', 'survey-import']),
  });
  log(`seed ${seed}: ${rows.flat().length} faults in ${seconds} s`);
  const cost = watchCost(platform.processes);
  cleanup.defer(async () => cost.stop());
  const clients = startClients(context, { surveyId, limited });
  const faults = await runFaults(rows, { platform, log, signal });
  stopping.abort();
  signal.throwIfAborted();

  log('all faults are healed; waiting for requests in flight');
  await Promise.all(platform.processes.map(({ admin }) => untilReady(admin)));
  const timer = setTimeout(() => giveUp.abort(), ANSWERED_MS);
  await clients;
  clearTimeout(timer);
  signal.throwIfAborted();

  log('comparing');
  const end = createCaller({ gateway: platform.gateway, token, ledger, requestsPerSecond: 200, giveUp: signal });
  const database = connectDatabase(platform.mongodbUri);
  cleanup.defer(database.close);
  const stored = await compareAll(
    { ...context, caller: end },
    { surveyId, limited, receivers, webhookIds, database, log },
  );
  return {
    violations: ledger.violations,
    faults,
    acknowledged: ledger.acknowledged,
    outcomes: caller.outcomes,
    cpuSeconds: cost.cpuSeconds(),
    stored,
    webhookAttempts: receivers.reduce((sum, { attempts }) => sum + attempts(), 0),
  };
}

/** Processes on the path of responses and deliveries are targets three times as often. */
function stress(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => (/response|webhook|clients/.test(name) ? [name, name, name] : [name]));
}

async function createTenantToken({ keysFolder, identityAddress }: Platform): Promise<string> {
  const operator = await connectOperator(keysFolder, identityAddress);
  try {
    const { tenantId, userId } = await operator.createTenant({ name: 'soak', ownerEmail: 'owner@example.org' });
    return await issueToken(keysFolder, { tenantId, userId, expiresInSeconds: TOKEN_SECONDS });
  } finally {
    operator.close();
  }
}

async function untilReady(admin: string | undefined): Promise<void> {
  if (admin === undefined) return;
  await poll(async () => (await fetch(`${admin}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok, READY);
}

/** Runs the clients. Resolves when each has finished its work after the end. */
async function startClients(
  context: ClientContext,
  { surveyId, limited }: { readonly surveyId: string; readonly limited: LimitedSurveys },
): Promise<void> {
  const { ledger, random, stopping } = context;
  const pause = (mostSeconds: number) => async () => {
    await sleep(random() * mostSeconds * 1_000, undefined, { signal: stopping }).catch(() => {});
  };
  const clients: readonly [name: string, count: number, client: Client][] = [
    ['plain respondent', 4, createPlainRespondent(context, surveyId)],
    ['limited respondent', 6, createLimitedRespondent(context, limited)],
    ['slow respondent', 12, createSlowRespondent(context, { surveyId, limited, pause: pause(4) })],
    ['token holder', 3, createTokenHolder(context, surveyId)],
    ['uploader', 1, createUploader(context, surveyId)],
    ['importer', 1, createImporter(context, surveyId, pause(10))],
    ['corrector', 6, createCorrector(context, { limited, pause: pause(1) })],
    ['survey author', 1, createSurveyAuthor(context, pause(10))],
  ];
  async function run(name: string, client: Client): Promise<void> {
    while (!stopping.aborted) {
      try {
        await client();
      } catch (error) {
        // Aborts at the end are not violations.
        const detail = `${name}: ${error instanceof Error ? error.message : error}`;
        ledger.report({ kind: 'client failed', detail });
      }
    }
  }
  await Promise.all(clients.flatMap(([name, count, client]) => Array.from({ length: count }, () => run(name, client))));
}

interface Compared {
  readonly surveyId: string;
  readonly limited: LimitedSurveys;
  readonly receivers: readonly SoakReceiver[];
  readonly webhookIds: readonly string[];
  readonly database: Database;
  readonly log: (line: string) => void;
}

/** Records all violations in the ledger. Returns the number of stored responses. */
async function compareAll(context: ClientContext, compared: Compared): Promise<number> {
  const { caller, ledger } = context;
  const { surveyId, limited, receivers, webhookIds, database, log } = compared;
  const { responses, surveys } = ledger;
  const report = (violations: readonly Violation[]) => violations.forEach(ledger.report);
  const limitedIds = limited.all.map((survey) => survey.surveyId);
  const surveyIds = [surveyId, ...limitedIds];
  const limitedSet = new Set(limitedIds);

  for (const id of limitedIds) await fill(context, id);
  const deleted = [...responses.values()].filter(({ isDeleted }) => isDeleted).slice(-MOST_REPEATED);
  report(await repeatDeleted(caller, deleted));

  log('waiting for deliveries');
  const compareEvents = async () => [
    ...compareOutboxes(await database.outboxes()),
    ...webhooks.flatMap(({ eventTypes }, index) => {
      const types = eventTypes.filter((type) => type.startsWith('response.'));
      const delivered = receivers[index]?.delivered ?? new Map();
      return compareDelivered(responses, delivered, types, limitedSet);
    }),
    ...compareSurveys(surveys, await listSurveyIds(caller), receivers[0]?.delivered ?? new Map()),
  ];
  const isEven = async () => (await compareEvents()).length === 0;
  await poll(isEven, { timeoutMs: DELIVERED_MS, intervalMs: 1_000 }).catch(() => {});
  const violations = await compareEvents();
  report(violations);
  if (violations.length > 0)
    for (const id of webhookIds)
      for (const detail of await listUndelivered(caller, id)) ledger.report({ kind: 'not delivered', detail });

  const revisions = await database.revisions(surveyIds);
  const stored: StoredResponse[] = [];
  for (const id of surveyIds)
    for (const response of await listStored(caller, id, ledger.report))
      stored.push({ ...response, revision: revisions.get(response.id) ?? 0 });
  report(compareStored(responses, stored, ledger.rejectedKeys, limitedSet));
  const uncertain = findUncertain(stored, ledger.rejectedKeys);
  report(receivers.flatMap(({ delivered }) => compareKnown(responses, delivered, uncertain)));
  report(
    compareLimits(
      limitedIds.map((id) => ({ surveyId: id, limit: LIMIT })),
      stored,
    ),
  );
  report(compareFiles(responses, await hashFiles(caller, responses.values())));
  return stored.length;
}

/** Fills a survey with a limit, so all seats must be used. */
async function fill(context: ClientContext, surveyId: string): Promise<void> {
  for (;;) {
    const submitted = await submit(context, publicTarget(surveyId), { action: 'limited response submitted' });
    if ('rejection' in submitted) return;
  }
}
