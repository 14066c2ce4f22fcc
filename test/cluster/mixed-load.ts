import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { poll } from '@survey/runtime/testing/poll';
import type { AnsweredSurvey } from '../support/faults/answered-survey.ts';
import { lunchAnswers } from '../support/lunch-survey.ts';
import { createApi, type Reply } from '../support/platform.ts';

/** The results of requests during one activity. */
export interface Stage {
  readonly activity: string;
  readonly requests: number;
  /** Number of 503 replies with Retry-After, by code. */
  readonly rejected: Readonly<Record<string, number>>;
  /** Connections that broke before the reply. */
  readonly broken: readonly string[];
  /** Other unexpected replies. */
  readonly failures: readonly string[];
  readonly slowestMs: number;
}

interface OpenStage extends Stage {
  requests: number;
  readonly rejected: Record<string, number>;
  readonly broken: string[];
  readonly failures: string[];
  slowestMs: number;
}

/**
 * A load of 50 requests per second: one third are submissions, the others reads. It sends fewer while the platform
 * is so slow that 64 requests are in flight, so a slow machine is loaded, but not overloaded.
 */
export interface MixedLoad {
  /** All acknowledged responses. */
  readonly acknowledged: readonly string[];
  readonly stages: readonly Stage[];
  /** Starts a new stage for this activity. */
  begin(activity: string): Stage;
  /** Resolves when this many more responses were acknowledged. */
  untilAcknowledged(more: number): Promise<void>;
  /** Resolves when no request is in flight. Unacknowledged submissions are retried. */
  stop(): Promise<void>;
}

/** Messages of `fetch` for broken connections. */
const BROKEN = ['fetch failed', 'terminated'];
const EVERY_MS = 20;
/** Half of the requests at which the gateway may begin to reject. */
const MAX_IN_FLIGHT = 64;
const PAUSE_MS = 1_000;
const POLL_OPTIONS = { timeoutMs: 120_000 };

export function startMixedLoad({ surveyId, tenant: { api } }: AnsweredSurvey): MixedLoad {
  const respondent = createApi();
  const acknowledged: string[] = [];
  const stages: OpenStage[] = [];
  let isStopped = false;

  function begin(activity: string): OpenStage {
    const stage = { activity, requests: 0, rejected: {}, broken: [], failures: [], slowestMs: 0 };
    stages.push(stage);
    return stage;
  }
  let stage = begin('start');

  /** Returns the reply if it has the expected status. */
  async function measure(name: string, expected: number, send: () => Promise<Reply>): Promise<Reply | undefined> {
    const ofRequest = stage;
    const begun = performance.now();
    const time = new Date().toISOString();
    const toNote = (said: string) => `${time} ${ofRequest.activity}: ${name}: ${said}`;
    ofRequest.requests += 1;
    try {
      const reply = await send();
      if (reply.status === expected) return reply;
      const isRetryable = reply.status === 503 && /^[1-9]\d*$/.test(reply.headers.get('retry-after') ?? '');
      const { code } = reply.body;
      if (isRetryable) ofRequest.rejected[code] = (ofRequest.rejected[code] ?? 0) + 1;
      else ofRequest.failures.push(toNote(`${reply.status} ${JSON.stringify(reply.body)}`));
    } catch (error) {
      const isBroken = error instanceof TypeError && BROKEN.includes(error.message);
      (isBroken ? ofRequest.broken : ofRequest.failures).push(toNote(toText(error)));
    } finally {
      ofRequest.slowestMs = Math.max(ofRequest.slowestMs, Math.round(performance.now() - begun));
    }
    return undefined;
  }

  async function submit(): Promise<void> {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { status: 'completed', data: lunchAnswers };
    const send = () => respondent('POST', `/v1/public/surveys/${surveyId}/responses`, { body, headers });
    for (;;) {
      const reply = await measure('submit', 201, send);
      if (reply !== undefined) return void acknowledged.push(reply.body.id);
      await sleep(PAUSE_MS);
    }
  }

  const read = (name: string, path: () => string, by = api) => measure(name, 200, () => by('GET', path()));
  const mix: readonly (() => Promise<unknown>)[] = [
    submit,
    () => read('list', () => `/v1/surveys/${surveyId}/responses?limit=20`),
    () => read('count', () => `/v1/surveys/${surveyId}/responses/count`),
    submit,
    () => read('get', () => `/v1/responses/${acknowledged.at(-1)}`),
    () => read('definition', () => `/v1/public/surveys/${surveyId}`, respondent),
  ];

  const running = new Set<Promise<unknown>>();
  async function run(): Promise<void> {
    const begun = performance.now();
    for (let slot = 0; !isStopped; await sleep(EVERY_MS / 2)) {
      for (; begun + slot * EVERY_MS <= performance.now(); slot += 1) {
        if (running.size >= MAX_IN_FLIGHT) continue;
        // The index is within the array.
        const request = (mix[slot % mix.length] as () => Promise<unknown>)();
        running.add(request);
        void request.finally(() => running.delete(request));
      }
    }
    await Promise.all(running);
  }
  const ended = submit().then(run);
  // `stop` reports failures.
  ended.catch(() => undefined);

  return {
    acknowledged,
    stages,
    begin: (activity) => {
      stage = begin(activity);
      return stage;
    },
    async untilAcknowledged(more) {
      const before = acknowledged.length;
      await poll(() => acknowledged.length >= before + more, POLL_OPTIONS);
    },
    stop() {
      isStopped = true;
      return ended;
    },
  };
}

/** The share of requests with 503 and Retry-After. */
export function rejectedShare({ requests, rejected }: Stage): number {
  return Object.values(rejected).reduce((sum, each) => sum + each, 0) / requests;
}

function toText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${String(error.cause)}`;
}
