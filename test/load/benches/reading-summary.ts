import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@survey/local/stack';
import { poll } from '@survey/runtime/testing/poll';
import type { Figure } from '../bench-report.ts';
import { latencyFigures, repeat } from '../latencies.ts';
import { measureCpu, platformPids } from '../measured-load.ts';
import type { FilledSurvey } from './filled-survey.ts';

/** Enough for a 95th percentile beside a few garbage collections. */
const REPEATS = 200;
const MOST_TRIES = 1_200;
const WEEK_MS = 7 * 24 * 60 * 60_000;
/** Responses per second of a first summary, divided by those of the MongoDB driver alone: see ADR 88. */
const LEAST_TO_BARE = 0.78;
const TARGET_MS = { first: 20_000, again: 15, filtered: 50, restarted: 1_000 } as const;

interface Summary {
  readonly responses: number;
}

/** Measures the first summary, the same one again, and those of filters. */
export async function measureSummary(stack: Stack, { tenant, surveyId, responses }: FilledSurvey, bareSpeed: number) {
  const pids = platformPids(stack);
  const summary = () => tenant.call('GET', `/v1/surveys/${surveyId}/summary`).then((reply) => reply.text());
  const first = () => repeat(1, () => untilReply(summary));
  const { result, cpu } = await measureCpu('summary', { pids, items: responses }, first);
  const [cold = Number.NaN] = result;
  // The result is cached for as long as it took to compute.
  await pause(cold);
  return [
    { name: 'summary', value: cold, unit: 'ms', atMost: TARGET_MS.first },
    {
      name: 'summary: to bare reading',
      value: responses / (cold / 1_000) / bareSpeed,
      unit: 'ratio',
      atLeast: LEAST_TO_BARE,
    },
    ...cpu,
    ...latencyFigures('summary again', await repeat(REPEATS, summary), TARGET_MS.again),
    ...(await measureFilteredSummaries({ tenant, surveyId })),
  ];
}

/** Measures the first summary of a filter and the same one again. */
async function measureFilteredSummaries({ tenant, surveyId }: Pick<FilledSurvey, 'tenant' | 'surveyId'>) {
  const week = new Date(Date.now() - WEEK_MS).toISOString();
  const figures: Figure[] = [];
  for (const query of [`since=${week}`, 'language=de', 'status=abandoned']) {
    const filtered = () => tenant.call('GET', `/v1/surveys/${surveyId}/summary?${query}`).then((reply) => reply.text());
    const name = `summary by ${query.split('=')[0]}`;
    const [cold = Number.NaN] = await repeat(1, () => untilReply(filtered));
    await pause(cold);
    figures.push({ name, value: cold, unit: 'ms' });
    figures.push(...latencyFigures(`${name} again`, await repeat(REPEATS, filtered), TARGET_MS.filtered));
  }
  return figures;
}

/** Measures the first summary after a new response, when a summary was cached before. */
export async function measureOneMore({ tenant, surveyId, answers }: FilledSurvey): Promise<readonly Figure[]> {
  const path = `/v1/surveys/${surveyId}`;
  // The reply is a summary.
  const count = async () => ((await (await tenant.call('GET', `${path}/summary`)).json()) as Summary).responses;
  const before = await count();
  await (await tenant.call('POST', `${path}/responses`, { data: answers[0] })).text();
  for (let left = MOST_TRIES; left > 0; left -= 1) {
    const begun = performance.now();
    if ((await count()) > before)
      return [{ name: 'summary after one more', value: performance.now() - begun, unit: 'ms' }];
    await pause(100);
  }
  throw new Error('the summary does not include the new response');
}

/** Measures the first summary of a restarted service: of a survey at rest, and of one that just got a response. */
export async function measureRestarts(stack: Stack, filled: FilledSurvey): Promise<readonly Figure[]> {
  const { tenant, surveyId, answers } = filled;
  const atRest = await measureRestart(stack, filled);
  await (await tenant.call('POST', `/v1/surveys/${surveyId}/responses`, { data: answers[0] })).text();
  const inUse = await measureRestart(stack, filled);
  return [
    { ...atRest, name: 'summary after a restart' },
    { ...inUse, name: 'summary after a restart, survey in use' },
  ];
}

async function measureRestart(stack: Stack, { tenant, surveyId }: FilledSurvey): Promise<Omit<Figure, 'name'>> {
  const pid = () => stack.info().services['response']?.pid ?? 0;
  const previous = pid();
  process.kill(previous, 'SIGTERM');
  await poll(() => pid() !== previous);
  await poll(() => tenant.call('GET', `/v1/surveys/${surveyId}/responses?limit=1`));
  const summary = () => tenant.call('GET', `/v1/surveys/${surveyId}/summary`).then((reply) => reply.text());
  const [first = Number.NaN] = await repeat(1, () => untilReply(summary));
  return { value: first, unit: 'ms', atMost: TARGET_MS.restarted };
}

/** Repeats a call: if a request times out, the computation continues and a later request gets its result. */
export async function untilReply(call: () => Promise<unknown>): Promise<void> {
  for (let left = 20; ; left -= 1) {
    try {
      await call();
      return;
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}
