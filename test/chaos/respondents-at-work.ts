import { poll } from '@survey/runtime/testing/poll';
import { expect } from 'vitest';
import { countPending } from '../support/faults/mongodb.ts';
import { createLimitedSurveys, createRespondents } from '../support/faults/respondents.ts';
import { retryUntilReply, startClients } from '../support/faults/retrying-client.ts';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { type Api, createApi, createTenant, listAll, type Reply } from '../support/platform.ts';
import { readSubmittedEvents } from './submitted-events.ts';

/** Forty respondents of a tenant's surveys in five groups, each with its own behaviour, without pauses. */
export interface RespondentsAtWork {
  /** The server errors so far. */
  readonly rejected: readonly Reply[];
  /** Resolves when all groups have submitted more responses. */
  untilProgress(): Promise<void>;
  /** Waits until all have finished their current response. */
  stop(): Promise<void>;
  /** Asserts that all server errors since the last call allow a retry. */
  expectRetryAfter(): void;
  /**
   * Asserts that exactly the acknowledged responses are stored, once each with their answers, and within the limits.
   */
  expectStored(): Promise<void>;
  /**
   * After `expectStored`: asserts that the topic has an event, possibly repeated, of exactly the completed responses.
   */
  expectPublished(): Promise<void>;
  close(): Promise<void>;
}

interface Stored {
  readonly id: string;
  readonly status: string;
  readonly data: object;
}

const GROUP_SIZE = 8;
/** Acknowledged requests to wait for. More than a group has in flight, so some of them were sent after the event. */
const REQUESTS_AFTER = GROUP_SIZE + 1;
const SEATS = 50;
/** An event that was stored late waits for the relay's next look to the beginning: minutes, if looks are slow (ADR 56). */
const PENDING_OPTIONS = { timeoutMs: 160_000 };

/** @param gateway its URL; by default the gateway of the stack */
export async function startRespondents(gateway?: string): Promise<RespondentsAtWork> {
  const [{ api }, events] = await Promise.all([createTenant(), readSubmittedEvents()]);
  const respondents = createRespondents(createApi(undefined, gateway));
  const surveys = {
    twice: await publish(api, {}),
    inSteps: await publish(api, {}),
    once: await publish(api, {}),
  };
  const limited = createLimitedSurveys(() => publish(api, { response_limit: SEATS }));
  const start = (work: () => Promise<string>) => startClients(GROUP_SIZE, work);
  const { twice, inSteps, once } = respondents;
  const unlimited = {
    twice: start(() => always(twice(surveys.twice))),
    inSteps: start(() => always(inSteps(surveys.inSteps))),
    once: start(() => once(surveys.once)),
  };
  const clients = [
    ...Object.values(unlimited),
    start(() => limited.takeSeat(twice)),
    start(() => limited.takeSeat(inSteps)),
  ];
  const completed = new Set<string>();
  let looked = 0;

  async function completedOf(surveyId: string): Promise<readonly string[]> {
    const stored = await listAll<Stored>(api, `/v1/surveys/${surveyId}/responses?limit=1000`);
    const ids = stored.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const count = await api('GET', `/v1/surveys/${surveyId}/responses/count`);
    expect(count.body).toEqual({ count: ids.length });
    const done = stored.filter(({ status }) => status === 'completed');
    for (const { data } of done) expect(data).toEqual(lunchAnswers);
    for (const { id } of done) completed.add(id);
    return done.map(({ id }) => id);
  }

  return {
    rejected: respondents.rejected,

    async untilProgress() {
      const before = clients.map(({ acknowledged }) => acknowledged.length);
      const hasProgressed = () =>
        clients.every(({ acknowledged }, index) => acknowledged.length >= (before[index] ?? 0) + REQUESTS_AFTER);
      await poll(hasProgressed);
    },

    stop: async () => void (await Promise.all(clients.map((each) => each.stop()))),

    expectRetryAfter() {
      const others = respondents.rejected.slice(looked).filter((reply) => !hasRetryAfter(reply));
      looked = respondents.rejected.length;
      expect(others.map(({ status, body }) => [status, body])).toEqual([]);
    },

    async expectStored() {
      for (const group of ['twice', 'inSteps'] as const)
        expectSame(await completedOf(surveys[group]), unlimited[group].acknowledged);
      const stored = new Set(await completedOf(surveys.once));
      for (const id of unlimited.once.acknowledged) expect(stored).toContain(id);
      expect(stored.size).toBeLessThanOrEqual(unlimited.once.acknowledged.length + respondents.unanswered());
      expect(limited.all.some(({ isFull }) => isFull)).toBe(true);
      for (const { surveyId, acknowledged, isFull } of limited.all) {
        expectSame(await completedOf(surveyId), acknowledged);
        if (isFull) expect(acknowledged).toHaveLength(SEATS);
        else expect(acknowledged.length).toBeLessThanOrEqual(SEATS);
      }
    },

    async expectPublished() {
      const surveyIds = [...Object.values(surveys), ...limited.all.map(({ surveyId }) => surveyId)];
      await poll(async () => (await countPending(surveyIds)) === 0, PENDING_OPTIONS);
      const published = await events.read(surveyIds);
      expectSame([...published.keys()], [...completed]);
      for (const eventIds of published.values()) expect(eventIds.size).toBe(1);
    },

    close: events.close,
  };
}

/** A 504 needs no Retry-After. */
function hasRetryAfter({ status, headers }: Reply): boolean {
  return status === 504 || (status === 503 && /^[1-9]\d?$/.test(headers.get('retry-after') ?? ''));
}

/** For surveys without a limit: expects an id. */
async function always(reply: Promise<string | undefined>): Promise<string> {
  const id = await reply;
  expect(id).toBeDefined();
  return String(id);
}

async function publish(api: Api, settings: object): Promise<string> {
  const body = { ...lunchSurvey, settings };
  const made = await retryUntilReply(() => api('POST', '/v1/surveys', { body }));
  expect(made).toMatchObject({ status: 201 });
  const published = await retryUntilReply(() => api('POST', `/v1/surveys/${made.body.id}/publish`));
  // 409 if an earlier attempt without a reply has succeeded.
  expect([200, 409]).toContain(published.status);
  return made.body.id;
}

function expectSame(ids: readonly string[], expected: readonly string[]): void {
  expect([...ids].sort()).toEqual([...expected].sort());
}
