import { poll } from '@survey/runtime/testing/poll';
import { expect } from 'vitest';
import { persist, startClients } from './careful-client.ts';
import { createLimitedSurveys } from './limited-surveys.ts';
import { listAll } from './list-ids.ts';
import { lunchAnswers, lunchSurvey } from './lunch-survey.ts';
import { countPending } from './mongodb.ts';
import { type Answer, type Api, createApi, createTenant } from './platform.ts';
import { createRespondents } from './respondents.ts';
import { readSubmittedEvents } from './submitted-events.ts';

/** Forty respondents who answer surveys of one tenant, each in a manner of their own, as fast as the platform lets them. */
export interface RespondentsAtWork {
  /** What the platform has said so far when it could not. */
  readonly refused: readonly Answer[];
  /** Resolves when respondents of each manner have got some more answers through. */
  untilGoesOn(): Promise<void>;
  /** Lets them finish what they are about. */
  stop(): Promise<void>;
  /** Asserts that all who were refused since the last time were told to come again. */
  expectToldToComeAgain(): void;
  /** Asserts that each acknowledged response is stored once with its answers, no other is, and no limit is exceeded. */
  expectStored(): Promise<void>;
  /** After `expectStored`: asserts that the topic has one event of each completed response, however often, and no other. */
  expectTold(): Promise<void>;
  close(): Promise<void>;
}

interface Stored {
  readonly id: string;
  readonly status: string;
  readonly data: object;
}

const OF_EACH_MANNER = 8;
/** More than those of a manner have in hand: some of it was begun afterwards. */
const MORE = OF_EACH_MANNER + 1;
const PLACES = 50;
const PATIENCE = { timeoutMs: 60_000 };

/** @param gateway that the respondents call; the stack's when absent */
export async function startRespondents(gateway?: string): Promise<RespondentsAtWork> {
  const [{ api }, events] = await Promise.all([createTenant(), readSubmittedEvents()]);
  const respondents = createRespondents(createApi(undefined, gateway));
  const surveys = {
    twice: await publish(api, {}),
    inSteps: await publish(api, {}),
    once: await publish(api, {}),
  };
  const limited = createLimitedSurveys(() => publish(api, { response_limit: PLACES }));
  const start = (work: () => Promise<string>) => startClients(OF_EACH_MANNER, work);
  const { twice, inSteps, once } = respondents;
  const unlimited = {
    twice: start(() => always(twice(surveys.twice))),
    inSteps: start(() => always(inSteps(surveys.inSteps))),
    once: start(() => once(surveys.once)),
  };
  const clients = [
    ...Object.values(unlimited),
    start(() => limited.takePlace(twice)),
    start(() => limited.takePlace(inSteps)),
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
    refused: respondents.refused,

    async untilGoesOn() {
      const before = clients.map(({ acknowledged }) => acknowledged.length);
      const goesOn = () =>
        clients.every(({ acknowledged }, index) => acknowledged.length >= (before[index] ?? 0) + MORE);
      await poll(goesOn, PATIENCE);
    },

    stop: async () => void (await Promise.all(clients.map((each) => each.stop()))),

    expectToldToComeAgain() {
      const others = respondents.refused.slice(looked).filter((answer) => !isToldToComeAgain(answer));
      looked = respondents.refused.length;
      expect(others.map(({ status, body }) => [status, body])).toEqual([]);
    },

    async expectStored() {
      for (const manner of ['twice', 'inSteps'] as const)
        expectSame(await completedOf(surveys[manner]), unlimited[manner].acknowledged);
      const stored = new Set(await completedOf(surveys.once));
      for (const id of unlimited.once.acknowledged) expect(stored).toContain(id);
      expect(stored.size).toBeLessThanOrEqual(unlimited.once.acknowledged.length + respondents.unanswered());
      expect(limited.all.some(({ isFull }) => isFull)).toBe(true);
      for (const { surveyId, acknowledged, isFull } of limited.all) {
        expectSame(await completedOf(surveyId), acknowledged);
        if (isFull) expect(acknowledged).toHaveLength(PLACES);
        else expect(acknowledged.length).toBeLessThanOrEqual(PLACES);
      }
    },

    async expectTold() {
      const surveyIds = [...Object.values(surveys), ...limited.all.map(({ surveyId }) => surveyId)];
      await poll(async () => (await countPending(surveyIds)) === 0, PATIENCE);
      const told = await events.read(surveyIds);
      expectSame([...told.keys()], [...completed]);
      for (const eventIds of told.values()) expect(eventIds.size).toBe(1);
    },

    close: events.close,
  };
}

/** A deadline that has passed says nothing of when to come again. */
function isToldToComeAgain({ status, headers }: Answer): boolean {
  return status === 504 || (status === 503 && /^[1-9]\d?$/.test(headers.get('retry-after') ?? ''));
}

/** To answer a survey without a limit. */
async function always(answer: Promise<string | undefined>): Promise<string> {
  const id = await answer;
  expect(id).toBeDefined();
  return String(id);
}

async function publish(api: Api, settings: object): Promise<string> {
  const body = { ...lunchSurvey, settings };
  const made = await persist(() => api('POST', '/v1/surveys', { body }));
  expect(made).toMatchObject({ status: 201 });
  const published = await persist(() => api('POST', `/v1/surveys/${made.body.id}/publish`));
  // In conflict with the try before, of which nothing was heard.
  expect([200, 409]).toContain(published.status);
  return made.body.id;
}

function expectSame(ids: readonly string[], expected: readonly string[]): void {
  expect([...ids].sort()).toEqual([...expected].sort());
}
