import { randomUUID } from 'node:crypto';
import { poll } from '@survey/runtime/testing/poll';
import { expect } from 'vitest';
import { lunchAnswers } from './lunch-survey.ts';
import { type Answer, createApi } from './platform.ts';

const PATIENCE = { timeoutMs: 60_000, everyMs: 200 };

/** Asks again until there is an answer that is neither a broken connection nor the platform's own failure. */
export async function persist(request: () => Promise<Answer>): Promise<Answer> {
  let last: Answer | undefined;
  return poll(async () => {
    last = await request();
    return last.status < 500 && last;
  }, PATIENCE).catch((cause: unknown) => {
    throw new Error(`no answer; the last was ${last?.status} ${JSON.stringify(last?.body)}`, { cause });
  });
}

/** Submits an answer as a respondent does. */
export function submitOnce(surveyId: string, idempotencyKey: string = randomUUID()): Promise<Answer> {
  return createApi()('POST', `/v1/public/surveys/${surveyId}/responses`, {
    body: { status: 'completed', data: lunchAnswers },
    headers: { 'idempotency-key': idempotencyKey },
  });
}

/** Submits an answer, again with the same key until it is acknowledged. Gives the response's id. */
export async function submit(surveyId: string): Promise<string> {
  const key = randomUUID();
  return idOf(await persist(() => submitOnce(surveyId, key)));
}

/** Submits answers side by side, each of which has to be acknowledged at once. Gives their ids. */
export async function submitMany(surveyId: string, count: number): Promise<readonly string[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => submitOnce(surveyId)));
  return answers.map(idOf);
}

function idOf(answer: Answer): string {
  expect(answer).toMatchObject({ status: 201, body: { id: expect.any(String) } });
  return answer.body.id;
}

/** Clients at work. */
export interface Clients<T> {
  /** What the platform has acknowledged so far. */
  readonly acknowledged: readonly T[];
  /** Lets each client finish what it is about, and gives all that was acknowledged. Rejects when one had to give up. */
  stop(): Promise<readonly T[]>;
}

/** Clients that each do one thing after the other, as fast as the platform lets them. */
export function startClients<T>(count: number, work: () => Promise<T>): Clients<T> {
  const acknowledged: T[] = [];
  let isStopped = false;
  const clients = Array.from({ length: count }, async () => {
    while (!isStopped) acknowledged.push(await work());
  });
  const ended = Promise.all(clients);
  // Who stops them is told.
  ended.catch(() => undefined);
  return {
    acknowledged,
    async stop() {
      isStopped = true;
      await ended;
      return acknowledged;
    },
  };
}
