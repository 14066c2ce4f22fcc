import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { persist } from './careful-client.ts';
import { lunchAnswers } from './lunch-survey.ts';
import type { Answer, Api } from './platform.ts';

/** Respondents of the lunch survey, each in another manner. */
export interface Respondents {
  /** Submits with a key, twice at the same time, and again until there is an answer. Undefined when no place is left. */
  twice(surveyId: string): Promise<string | undefined>;
  /** Begins, and completes later, each again until there is an answer. Undefined when no place is left. */
  inSteps(surveyId: string): Promise<string | undefined>;
  /** Submits without a key until one submit is acknowledged; of what became of the others it knows nothing. */
  once(surveyId: string): Promise<string>;
  /** How many submits without a key were not acknowledged. */
  unanswered(): number;
  /** What the platform has said when it could not. */
  readonly refused: readonly Answer[];
}

const [begun, rest] = [{ came: lunchAnswers.came }, { taste: lunchAnswers.taste, comment: lunchAnswers.comment }];

export function createRespondents(api: Api): Respondents {
  const refused: Answer[] = [];
  let unanswered = 0;

  const call: Api = async (...request) => {
    const answer = await api(...request);
    if (answer.status >= 500) refused.push(answer);
    return answer;
  };
  const submit = (surveyId: string, body: object, headers: Record<string, string> = {}) =>
    call('POST', `/v1/public/surveys/${surveyId}/responses`, { body, headers });

  return {
    refused,
    unanswered: () => unanswered,

    async twice(surveyId) {
      const headers = { 'idempotency-key': randomUUID() };
      const once = () => persist(() => submit(surveyId, { status: 'completed', data: lunchAnswers }, headers));
      const [one, other] = await Promise.all([once(), once()]);
      if (isFull(one) && isFull(other)) return undefined;
      expect([one.status, other.status]).toEqual([201, 201]);
      expect(one.body).toEqual(other.body);
      return one.body.id;
    },

    async inSteps(surveyId) {
      const headers = { 'idempotency-key': randomUUID() };
      const first = await persist(() => submit(surveyId, { status: 'in_progress', data: begun }, headers));
      if (isFull(first)) return undefined;
      expect(first).toMatchObject({ status: 201, body: { status: 'in_progress' } });
      const { id, resume_token: token } = first.body;
      const change = { headers: { 'resume-token': token }, body: { status: 'completed', data: rest } };
      const last = await persist(() => call('PATCH', `/v1/public/responses/${id}`, change));
      if (isFull(last)) return undefined;
      expect(last).toMatchObject({ status: 200, body: { id, status: 'completed' } });
      return id;
    },

    async once(surveyId) {
      for (;;) {
        const answer = await submit(surveyId, { status: 'completed', data: lunchAnswers }).catch(() => undefined);
        if (answer?.status === 201) return answer.body.id;
        expect(answer?.status ?? 500).toBeGreaterThanOrEqual(500);
        unanswered += 1;
        await sleep(PAUSE_MS);
      }
    },
  };
}

/** As long as the others wait before they ask again. */
const PAUSE_MS = 200;

function isFull({ status, body }: Answer): boolean {
  return status === 409 && body.code === 'RESPONSE_LIMIT_REACHED';
}
