import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { lunchAnswers } from '../lunch-survey.ts';
import type { Api, Reply } from '../platform.ts';
import { retryUntilReply } from './retrying-client.ts';

/** Ways to answer the lunch survey. */
interface Respondents {
  /** Submits twice concurrently with the same key, with retries. Returns undefined if the survey is full. */
  twice(surveyId: string): Promise<string | undefined>;
  /** Saves a response in progress and completes it, with retries. Returns undefined if the survey is full. */
  inSteps(surveyId: string): Promise<string | undefined>;
  /** Submits without a key until one attempt is acknowledged. Other attempts may also be stored. */
  once(surveyId: string): Promise<string>;
  /** The number of unacknowledged attempts without a key. */
  unanswered(): number;
  /** The server errors. */
  readonly rejected: readonly Reply[];
}

const [begun, rest] = [{ came: lunchAnswers.came }, { taste: lunchAnswers.taste, comment: lunchAnswers.comment }];

export function createRespondents(api: Api): Respondents {
  const rejected: Reply[] = [];
  let unanswered = 0;

  const call: Api = async (...request) => {
    const reply = await api(...request);
    if (reply.status >= 500) rejected.push(reply);
    return reply;
  };
  const submit = (surveyId: string, body: object, headers: Record<string, string> = {}) =>
    call('POST', `/v1/public/surveys/${surveyId}/responses`, { body, headers });

  return {
    rejected,
    unanswered: () => unanswered,

    async twice(surveyId) {
      const headers = { 'idempotency-key': randomUUID() };
      const once = () => retryUntilReply(() => submit(surveyId, { status: 'completed', data: lunchAnswers }, headers));
      const [one, other] = await Promise.all([once(), once()]);
      if (isFull(one) && isFull(other)) return undefined;
      expect([one.status, other.status]).toEqual([201, 201]);
      expect(one.body).toEqual(other.body);
      return one.body.id;
    },

    async inSteps(surveyId) {
      const headers = { 'idempotency-key': randomUUID() };
      const first = await retryUntilReply(() => submit(surveyId, { status: 'in_progress', data: begun }, headers));
      if (isFull(first)) return undefined;
      expect(first).toMatchObject({ status: 201, body: { status: 'in_progress' } });
      const { id, resume_token: token } = first.body;
      const change = { headers: { 'resume-token': token }, body: { status: 'completed', data: rest } };
      const last = await retryUntilReply(() => call('PATCH', `/v1/public/responses/${id}`, change));
      if (isFull(last)) return undefined;
      expect(last).toMatchObject({ status: 200, body: { id, status: 'completed' } });
      return id;
    },

    async once(surveyId) {
      for (;;) {
        const reply = await submit(surveyId, { status: 'completed', data: lunchAnswers }).catch(() => undefined);
        if (reply?.status === 201) return reply.body.id;
        expect(reply?.status ?? 500).toBeGreaterThanOrEqual(500);
        unanswered += 1;
        await sleep(PAUSE_MS);
      }
    },
  };
}

/** The same pause as in other retries. */
const PAUSE_MS = 200;

function isFull({ status, body }: Reply): boolean {
  return status === 409 && body.code === 'RESPONSE_LIMIT_REACHED';
}

/** A survey with a limit and its completed responses. */
interface LimitedSurvey {
  readonly surveyId: string;
  readonly acknowledged: readonly string[];
  /** Whether a respondent was rejected because of the limit. */
  readonly isFull: boolean;
}

/** Surveys with limits: when one is full, the next is created. */
export interface LimitedSurveys {
  readonly all: readonly LimitedSurvey[];
  /** Submits a response with `answer`, which returns undefined if the survey is full; then uses the next survey. */
  takeSeat(answer: (surveyId: string) => Promise<string | undefined>): Promise<string>;
}

interface Growing extends LimitedSurvey {
  readonly acknowledged: string[];
  isFull: boolean;
}

export function createLimitedSurveys(make: () => Promise<string>): LimitedSurveys {
  const all: Growing[] = [];
  let current = next();

  async function next(): Promise<Growing> {
    const survey = { surveyId: await make(), acknowledged: [], isFull: false };
    all.push(survey);
    return survey;
  }
  // `takeSeat` reports failures.
  current.catch(() => undefined);

  return {
    all,
    async takeSeat(answer) {
      for (;;) {
        const survey = await current;
        const id = await answer(survey.surveyId);
        if (id !== undefined) {
          survey.acknowledged.push(id);
          return id;
        }
        if (!survey.isFull) current = next();
        survey.isFull = true;
      }
    },
  };
}
