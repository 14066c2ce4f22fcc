import { randomUUID } from 'node:crypto';
import { poll } from '@survey/runtime/testing/poll';
import { expect } from 'vitest';
import { lunchAnswers } from '../lunch-survey.ts';
import { createApi, type Reply } from '../platform.ts';

/** Longer than several faults one after another, on a busy machine. Only a request that never succeeds takes so long. */
const POLL_OPTIONS = { timeoutMs: 240_000 };

/** Repeats a request until the reply is neither a broken connection, nor a server error, nor 429. */
export async function retryUntilReply(request: () => Promise<Reply>): Promise<Reply> {
  let last: Reply | undefined;
  return poll(async () => {
    last = await request();
    return last.status < 500 && last.status !== 429 && last;
  }, POLL_OPTIONS).catch((cause: unknown) => {
    throw new Error(`no successful reply; the last was ${last?.status} ${JSON.stringify(last?.body)}`, { cause });
  });
}

/** Submits a response as a respondent does. */
export function submitOnce(surveyId: string, idempotencyKey: string = randomUUID()): Promise<Reply> {
  return createApi()('POST', `/v1/public/surveys/${surveyId}/responses`, {
    body: { status: 'completed', data: lunchAnswers },
    headers: { 'idempotency-key': idempotencyKey },
  });
}

/** Submits a response, with retries and the same key. Returns the response's id. */
export async function submit(surveyId: string): Promise<string> {
  const key = randomUUID();
  return idOf(await retryUntilReply(() => submitOnce(surveyId, key)));
}

/** Submits responses concurrently without retries. Returns their ids. */
export async function submitMany(surveyId: string, count: number): Promise<readonly string[]> {
  const replies = await Promise.all(Array.from({ length: count }, () => submitOnce(surveyId)));
  return replies.map(idOf);
}

function idOf(reply: Reply): string {
  expect(reply).toMatchObject({ status: 201, body: { id: expect.any(String) } });
  return reply.body.id;
}

/** Running clients. */
export interface Clients<T> {
  /** The results acknowledged so far. */
  readonly acknowledged: readonly T[];
  /** Rejects as soon as a client failed. */
  readonly ended: Promise<unknown>;
  /** Waits until each client has finished its current work, and returns all results. Rejects if a client failed. */
  stop(): Promise<readonly T[]>;
}

/** Starts clients that repeat their work as fast as possible. */
export function startClients<T>(count: number, work: () => Promise<T>): Clients<T> {
  const acknowledged: T[] = [];
  let isStopped = false;
  const clients = Array.from({ length: count }, async () => {
    while (!isStopped) acknowledged.push(await work());
  });
  const ended = Promise.all(clients);
  // Reported by whoever awaits it.
  ended.catch(() => undefined);
  return {
    acknowledged,
    ended,
    async stop() {
      isStopped = true;
      await ended;
      return acknowledged;
    },
  };
}
