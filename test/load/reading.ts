import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@survey/local/stack';
import { poll } from '@survey/runtime/testing/poll';
import { MongoClient } from 'mongodb';
import { type Bench, type Figure, latencyFigures, repeat, timeOf } from './figures.ts';
import { DATABASE, type FilledSurvey, fillSurvey } from './filled-survey.ts';
import { type BenchTenant, MUCH_MEMORY, platformPids, withPlatform } from './platform.ts';
import { cpuFigures, type Pids, withCpu, withMemory } from './processes.ts';

const RESPONSES = 1_000_000;
/** Repetitions of a list, a sample or a count. */
const REPEATS = 30;
/** Repetitions of a summary: enough for a 95th percentile beside a few garbage collections. */
const SUMMARIES = 200;
const MOST_TRIES = 1_200;
const WEEK_MS = 7 * 24 * 60 * 60_000;
const LINE_FEED = 10;
const MOST_MS = {
  page: 50,
  sample: 200,
  count: 1_000,
  sameCount: 20,
  summary: 20_000,
  sameSummary: 15,
  filteredSummary: 50,
  restarted: 1_000,
} as const;
const EXPORTS = { csv: { perSecond: 30_000, toBare: 0.43 }, ndjson: { perSecond: 45_000, toBare: 0.66 } };
/** Responses per second of a first summary, divided by those of the MongoDB driver alone: see ADR 88. */
const LEAST_SUMMARY_TO_BARE = 0.78;
/** Duration of a first summary with conditions, divided by that of a first summary. */
const MOST_CONDITIONS_TO_SUMMARY = 1.3;
/** Memory of the response service while it reads all responses, after summaries of them. */
const MOST_READING_MB = 350;

interface Reading {
  readonly stack: Stack;
  readonly tenant: BenchTenant;
  readonly filled: FilledSurvey;
  /** Rows per second of `measureBareReading`. */
  readonly bareSpeed: number;
}

/** Measures counts, lists, samples, summaries and exports of a million encrypted responses of one survey. */
export const bench: Bench = ({ records = RESPONSES }) =>
  withPlatform(async (platform) => {
    const { stack, tenant } = platform;
    const filled = await fillSurvey(platform, records);
    const reading = { stack, tenant, filled, bareSpeed: await measureBareReading(stack) };
    const before = [
      ...(await measureCounts(reading)),
      ...(await measureLists(reading)),
      ...(await measureSamples(reading)),
    ];
    const summary = await measureSummary(reading);
    return [
      ...before,
      { name: 'bare reading', value: reading.bareSpeed, unit: 'rows/s' },
      ...summary,
      ...(await measureFilteredSummaries(reading)),
      ...(await measureConditions(reading, summary[0].value)),
      ...(await measureExport(reading, 'csv')),
      ...(await measureExport(reading, 'ndjson')),
      await measureRestart(reading, 'summary after a restart'),
      await measureRestart(reading, 'summary after a restart, survey in use'),
      await measureOneMore(reading),
    ];
  }, MUCH_MEMORY);

/** The floor: reads all responses with the MongoDB driver and converts each to JSON. Returns rows per second. */
async function measureBareReading(stack: Stack): Promise<number> {
  const client = new MongoClient(stack.info().mongodb_uri);
  try {
    let [rows, characters] = [0, 0];
    const ms = await timeOf(async () => {
      for await (const document of client.db(DATABASE).collection('responses').find()) {
        rows += 1;
        characters += JSON.stringify(document).length;
      }
    });
    if (characters === 0) throw new Error('there is nothing to read');
    return (rows / ms) * 1_000;
  } finally {
    await client.close();
  }
}

async function measureCounts({ tenant, filled }: Reading): Promise<readonly Figure[]> {
  const path = `${filled.path}/responses/count`;
  const count = async () => {
    // The reply is a count.
    const { count: found } = (await (await tenant.call('GET', path)).json()) as { count: number };
    if (found !== filled.responses) throw new Error(`counted ${found} of ${filled.responses}`);
  };
  const byStatus = () => readAll(tenant, `${path}?status=completed`);
  const [first, firstByStatus] = [await timeOf(count), await timeOf(byStatus)];
  return [
    { name: 'count', value: first, unit: 'ms', atMost: MOST_MS.count },
    ...latencyFigures('count again', await timesOf(REPEATS, count), MOST_MS.sameCount),
    { name: 'count by status', value: firstByStatus, unit: 'ms' },
    ...latencyFigures('count by status again', await timesOf(REPEATS, byStatus), MOST_MS.sameCount),
  ];
}

const filtersOf = ({ linkId }: FilledSurvey): Readonly<Record<string, string>> => ({
  '': '',
  ', by status': '&status=completed',
  ', by language': '&language=de',
  ', by link': `&link_id=${linkId}`,
  ', by link and status': `&link_id=${linkId}&status=completed`,
});

async function measureLists({ tenant, filled }: Reading): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [name, filter] of Object.entries(filtersOf(filled))) {
    for (const order of ['desc', 'asc']) {
      let path: string | undefined;
      const times = await timesOf(REPEATS, async () => {
        path ??= `${filled.path}/responses?limit=50&order=${order}${filter}`;
        const page: Response = await tenant.call('GET', path);
        await page.text();
        path = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
      });
      figures.push(...latencyFigures(`page${name}, ${order}`, times, MOST_MS.page));
    }
  }
  return figures;
}

async function measureSamples({ tenant, filled }: Reading): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [name, filter] of Object.entries(filtersOf(filled))) {
    const path = `${filled.path}/responses?random=true&limit=100${filter}`;
    const times = await timesOf(REPEATS, async () => {
      // The reply is a list.
      const sample = (await (await tenant.call('GET', path)).json()) as readonly unknown[];
      if (sample.length !== 100) throw new Error(`the sample has ${sample.length} responses`);
    });
    figures.push(...latencyFigures(`sample of 100${name}`, times, MOST_MS.sample));
  }
  return figures;
}

/** Measures the first summary, and the same one again. The first figure is the duration of the first one. */
async function measureSummary({
  stack,
  tenant,
  filled,
  bareSpeed,
}: Reading): Promise<readonly [Figure, ...(readonly Figure[])]> {
  const summary = () => readAll(tenant, `${filled.path}/summary`);
  const { result: first, cpu } = await withCpu(platformPids(stack), () => timeOf(() => untilReply(summary)));
  const perSecond = filled.responses / (first / 1_000);
  // The result is cached for as long as it took to compute.
  await pause(first);
  return [
    { name: 'summary', value: first, unit: 'ms', atMost: MOST_MS.summary },
    { name: 'summary: to bare reading', value: perSecond / bareSpeed, unit: 'ratio', atLeast: LEAST_SUMMARY_TO_BARE },
    ...cpuFigures('summary', cpu, filled.responses),
    ...latencyFigures('summary again', await timesOf(SUMMARIES, summary), MOST_MS.sameSummary),
  ];
}

/** Measures the first summary of a filter and the same one again. */
async function measureFilteredSummaries({ tenant, filled }: Reading): Promise<readonly Figure[]> {
  const week = new Date(Date.now() - WEEK_MS).toISOString();
  const figures: Figure[] = [];
  for (const query of [`since=${week}`, 'language=de', 'status=abandoned']) {
    const filtered = () => readAll(tenant, `${filled.path}/summary?${query}`);
    const name = `summary by ${query.split('=')[0]}`;
    const first = await timeOf(() => untilReply(filtered));
    await pause(first);
    figures.push({ name, value: first, unit: 'ms' });
    figures.push(...latencyFigures(`${name} again`, await timesOf(SUMMARIES, filtered), MOST_MS.filteredSummary));
  }
  return figures;
}

/**
 * Measures the first summary with conditions and the same one again, and samples the memory of the service.
 *
 * @param summaryMs duration of the first summary without conditions
 */
async function measureConditions({ stack, tenant, filled }: Reading, summaryMs: number): Promise<readonly Figure[]> {
  const conditions = [
    { source_question: 'q1', operator: 'greater_or_equal', value: 5 },
    { source_question: 'q0', operator: 'not_equals', value: 'option 3' },
  ];
  const path = `${filled.path}/summary?where=${encodeURIComponent(JSON.stringify({ conditions }))}`;
  const matching = () => readAll(tenant, path);
  const read = () => timeOf(() => untilReply(matching));
  const { result: first, mostBytes } = await withMemory(platformPids(stack).get('response') ?? 0, read);
  await pause(first);
  const name = 'summary with conditions';
  return [
    { name, value: first, unit: 'ms' },
    { name: `${name}: to summary`, value: first / summaryMs, unit: 'ratio', atMost: MOST_CONDITIONS_TO_SUMMARY },
    { name: `${name}: resident`, value: mostBytes / 1024 ** 2, unit: 'MB', atMost: MOST_READING_MB },
    ...latencyFigures(`${name} again`, await timesOf(SUMMARIES, matching), MOST_MS.filteredSummary),
  ];
}

/** Reads a complete export, and samples the memory of the service. */
async function measureExport(reading: Reading, format: keyof typeof EXPORTS): Promise<readonly Figure[]> {
  const { stack, tenant, filled, bareSpeed } = reading;
  // With the bench, which reads the file.
  const pids: Pids = new Map([...platformPids(stack), ['bench', process.pid]]);
  const read = async () => countLines(await tenant.call('GET', `${filled.path}/responses/export?format=${format}`));
  const begin = performance.now();
  const { result, mostBytes } = await withMemory(pids.get('response') ?? 0, () => withCpu(pids, read));
  const rate = filled.responses / ((performance.now() - begin) / 1_000);
  const rows = format === 'csv' ? result.result - 1 : result.result;
  if (rows !== filled.responses) throw new Error(`the export as ${format} has ${rows} rows of ${filled.responses}`);
  const { perSecond, toBare } = EXPORTS[format];
  const name = `export as ${format}`;
  return [
    { name, value: rate, unit: 'rows/s', atLeast: perSecond },
    { name: `${name}: to bare reading`, value: rate / bareSpeed, unit: 'ratio', atLeast: toBare },
    { name: `${name}: resident`, value: mostBytes / 1024 ** 2, unit: 'MB', atMost: MOST_READING_MB },
    ...cpuFigures(name, result.cpu, rows),
  ];
}

async function countLines({ body }: Response): Promise<number> {
  if (body === null) throw new Error('the export has no body');
  let lines = 0;
  for await (const chunk of body) {
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
  }
  return lines;
}

/** Measures the first summary after a new response, when a summary was cached before. */
async function measureOneMore({ tenant, filled }: Reading): Promise<Figure> {
  const count = async () =>
    // The reply is a summary.
    ((await (await tenant.call('GET', `${filled.path}/summary`)).json()) as { responses: number }).responses;
  const before = await count();
  await tenant.create(`${filled.path}/responses`, { data: filled.answers });
  for (let left = MOST_TRIES; left > 0; left -= 1) {
    const begun = performance.now();
    if ((await count()) > before)
      return { name: 'summary after one more', value: performance.now() - begun, unit: 'ms' };
    await pause(100);
  }
  throw new Error('the summary does not include the new response');
}

/** Measures the first summary of a restarted service. Then submits a response, which makes the survey one in use. */
async function measureRestart({ stack, tenant, filled }: Reading, name: string): Promise<Figure> {
  const pid = () => stack.info().services['response']?.pid ?? 0;
  const previous = pid();
  process.kill(previous, 'SIGTERM');
  await poll(() => pid() !== previous);
  await poll(() => tenant.call('GET', `${filled.path}/responses?limit=1`));
  const first = await timeOf(() => untilReply(() => readAll(tenant, `${filled.path}/summary`)));
  await tenant.create(`${filled.path}/responses`, { data: filled.answers });
  return { name, value: first, unit: 'ms', atMost: MOST_MS.restarted };
}

/** The milliseconds of each of several calls, one after the other. */
function timesOf(times: number, call: () => Promise<unknown>): Promise<readonly number[]> {
  return repeat(times, () => timeOf(call));
}

async function readAll({ call }: BenchTenant, path: string): Promise<void> {
  await (await call('GET', path)).text();
}

/** Repeats a call: if a request times out, the computation continues and a later request gets its result. */
async function untilReply(call: () => Promise<unknown>): Promise<void> {
  for (let left = 20; ; left -= 1) {
    try {
      await call();
      return;
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}
