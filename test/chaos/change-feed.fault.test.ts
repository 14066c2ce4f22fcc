import { randomUUID } from 'node:crypto';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { admin } from '../support/admin.ts';
import { stepDown, whileWritesFail, withDatabase, writeFaults } from '../support/faults/mongodb.ts';
import { createRespondents } from '../support/faults/respondents.ts';
import { type Clients, retryUntilReply, startClients, submit } from '../support/faults/retrying-client.ts';
import { killProcess, type StackProcess, whileHanging } from '../support/faults/supervised.ts';
import { lunchSurvey } from '../support/lunch-survey.ts';
import { type Api, createApi, createTenant } from '../support/platform.ts';

/** A copy of the responses to a survey, which follows the change feed. */
interface FeedFollower {
  /** Revisions of the copied responses by id. */
  readonly copy: ReadonlyMap<string, number>;
  /** Rejects as soon as a request failed for good. */
  readonly ended: Promise<void>;
  /** Resolves when more pages were read that were asked for after the call. */
  untilRead(): Promise<void>;
  /** Stops after the current request. Rejects if one failed for good. */
  stop(): Promise<void>;
}

interface Change {
  readonly id: string;
  readonly revision: number;
  readonly deleted: boolean;
}

/** Starts to follow the change feed, with retries. */
function followFeed(api: Api, surveyId: string): FeedFollower {
  const copy = new Map<string, number>();
  let stopped = false;
  let pages = 0;

  async function follow(): Promise<void> {
    let query = 'limit=100&wait=2';
    while (!stopped) {
      const { status, body } = await retryUntilReply(() =>
        api('GET', `/v1/surveys/${surveyId}/responses/changes?${query}`),
      );
      if (status !== 200) throw new Error(`the feed replied ${status}: ${JSON.stringify(body)}`);
      for (const { id, revision, deleted } of body.changes as readonly Change[]) {
        if (deleted) copy.delete(id);
        else copy.set(id, revision);
      }
      query = `limit=100&wait=2&cursor=${body.next_cursor}`;
      pages += 1;
    }
  }

  const ended = follow();
  // Reported by whoever awaits it.
  ended.catch(() => {});
  return {
    copy,
    ended,
    async untilRead() {
      const before = pages;
      // The next page may have been asked for before the call.
      await poll(() => pages >= before + 2);
    },
    async stop() {
      stopped = true;
      await ended;
    },
  };
}

const isAll = inject('testScope') === 'all';
const ROUNDS = isAll ? 5 : 1;
const STEP_DOWN_SECONDS = 3;
/** More than one response, so that the import stores them with their events in one transaction. */
const IMPORTED = 25;
const POLL_OPTIONS = { timeoutMs: 200_000 };

interface Fault {
  readonly title: string;
  readonly strike: () => Promise<void>;
}

const toKill = (part: StackProcess): Fault => ({ title: `${part} is killed`, strike: () => killProcess(part) });

describe('while 64 clients submit, complete, correct, delete and import responses', () => {
  let api: Api;
  let surveyId: string;
  let clients: readonly Clients<unknown>[];
  let followers: FeedFollower[];

  beforeAll(async () => {
    const tenant = await createTenant();
    ({ api } = tenant);
    await admin('tenant', 'limits', '--tenant', tenant.tenantId, '--requests-per-minute', '1000000');
    const { body } = await api('POST', '/v1/surveys', { body: lunchSurvey });
    surveyId = body.id;
    expect(await api('POST', `/v1/surveys/${surveyId}/publish`)).toMatchObject({ status: 200 });
    const respondents = createRespondents(createApi());
    followers = [followFeed(api, surveyId)];
    clients = [
      startClients(20, () => submit(surveyId)),
      startClients(16, () => respondents.inSteps(surveyId)),
      startClients(14, correctOne),
      startClients(10, deleteOne),
      startClients(4, importMany),
    ];
    await untilProgress();
  });
  afterAll(async () => {
    await Promise.allSettled([...clients, ...followers].map((running) => running.stop()));
  });

  async function correctOne(): Promise<void> {
    const id = await submit(surveyId);
    const body = { metadata: { checked: true } };
    const { status } = await retryUntilReply(() => api('PATCH', `/v1/responses/${id}`, { body }));
    expect(status).toBe(200);
  }

  async function deleteOne(): Promise<void> {
    const id = await submit(surveyId);
    const { status } = await retryUntilReply(() => api('DELETE', `/v1/responses/${id}`));
    // 404 if an attempt without a reply has succeeded.
    expect([204, 404]).toContain(status);
  }

  async function importMany(): Promise<void> {
    const responses = Array.from({ length: IMPORTED }, () => ({
      id: randomUUID(),
      submitted_at: '2026-01-02T03:04:05Z',
      answers: [{ question_id: 'came', value: 'no' }],
    }));
    const body = { format: 'json', responses };
    const path = `/v1/surveys/${surveyId}/responses/import`;
    const { status } = await retryUntilReply(() => api('POST', path, { body }));
    expect(status).toBe(200);
  }

  /** Waits for a condition. Rejects at once if a client or a follower failed. */
  async function until(condition: () => boolean): Promise<void> {
    const ends = [...clients, ...followers].map(({ ended }) => ended);
    await Promise.race([poll(condition, POLL_OPTIONS), ...ends]);
  }

  async function untilProgress(): Promise<void> {
    const before = clients.map(({ acknowledged }) => acknowledged.length);
    await until(() => clients.every(({ acknowledged }, index) => acknowledged.length > (before[index] ?? 0)));
  }

  /** Resolves when the copy of each follower has changed. */
  async function untilFollowed(): Promise<void> {
    const before = followers.map(({ copy }) => copy.size);
    await until(() => followers.every(({ copy }, index) => copy.size !== before[index]));
  }

  /** Other changes are stored while new responses, which have earlier times, are not. Feeds must not pass those. */
  async function stallNewResponses(): Promise<void> {
    const id = await submit(surveyId);
    await whileWritesFail(writeFaults.stalled, async () => {
      for (const checked of [1, 2]) {
        const { status } = await api('PATCH', `/v1/responses/${id}`, { body: { metadata: { checked } } });
        expect(status).toBe(200);
        await Promise.all(followers.map(({ untilRead }) => untilRead()));
      }
    });
  }

  const pause = async () => {
    await untilProgress();
    await untilFollowed();
  };
  const others: readonly StackProcess[] = ['gateway', 'import', 'survey', 'identity', 'webhook'];
  const stalled: Fault = { title: 'mongodb stalls new responses', strike: stallNewResponses };
  const moreOfMongodb: readonly Fault[] = [
    { title: 'mongodb steps down', strike: () => stepDown(STEP_DOWN_SECONDS) },
    toKill('mongodb'),
    { title: 'mongodb cuts connections', strike: () => whileWritesFail(writeFaults.disconnected, pause) },
  ];
  const more: readonly Fault[] = [
    {
      title: 'response stalls',
      strike: () => whileHanging(['response'], async () => expect(await isReachable()).toBe(false)),
    },
    ...others.map(toKill),
    ...(inject('stack').mongodb.pid === undefined ? [] : moreOfMongodb),
    ...(inject('stack').kafka.pid === undefined ? [] : [toKill('kafka')]),
  ];
  const faults = [
    ...(inject('stack').mongodb.pid === undefined ? [] : [stalled]),
    ...(isAll ? [toKill('response'), ...more] : []),
  ];

  async function isReachable(): Promise<boolean> {
    const url = `${inject('stack').services['response']?.admin}/readyz`;
    return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
      () => true,
      () => false,
    );
  }

  it.each(Array.from({ length: ROUNDS }, () => faults).flat())(
    'copies follow on after $title',
    { timeout: 240_000 },
    async ({ strike }) => {
      await strike();
      await pause();
      if (followers.length < 3) followers.push(followFeed(api, surveyId));
    },
  );

  it('each copy equals the database, by id and revision', async () => {
    await Promise.all(clients.map((each) => each.stop()));
    followers.push(followFeed(api, surveyId));
    const stored = await withDatabase('survey-response', async (db) => {
      const found = await db
        .collection<{ _id: string; revision: number }>('responses')
        .find({ survey_id: surveyId })
        .toArray();
      return new Map(found.map((response) => [response._id, response.revision]));
    });
    expect(stored.size).toBeGreaterThan(100);
    await poll(() => {
      for (const { copy } of followers) expect(copy).toEqual(stored);
      return true;
    }, POLL_OPTIONS);
  });
});
