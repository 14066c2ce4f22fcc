import type { Stack } from '@survey/local/stack';
import { MongoClient } from 'mongodb';
import type { Bench, Figure } from '../bench-report.ts';
import { latencyFigures, repeat } from '../latencies.ts';
import { type Pids, platformPids } from '../measured-load.ts';
import { measureBareReading } from './bare-driver.ts';
import { DATABASE, type FilledSurvey, withFilledSurvey } from './filled-survey.ts';
import { measureExport } from './reading-export.ts';
import { watchPlans } from './reading-plans.ts';
import { measureOneMore, measureRestarts, measureSummary, untilReply } from './reading-summary.ts';

const REPEATS = 30;
const TARGET_MS = { page: 50, sample: 200, count: 1_000, sameCount: 20 } as const;

/** Measures lists, counts, samples, exports and summaries of a million encrypted responses of one survey. */
export const bench: Bench = () =>
  withFilledSurvey(async ({ stack, filled, log }) => {
    const client = new MongoClient(stack.info().mongodb_uri, { appName: 'bench' });
    try {
      const db = client.db(DATABASE);
      const bareSpeed = await measureBareReading(stack);
      const figures = [
        ...(await measureCounts(filled)),
        ...(await measureLists(filled)),
        ...(await measureSamples(filled)),
        { name: 'bare reading', value: bareSpeed, unit: 'rows/s' },
        ...(await measureSummary(stack, filled, bareSpeed)),
        ...(await measureExports(stack, filled, bareSpeed)),
        ...(await measureOneMore(filled)),
      ];
      const plans = [...(await watchPlans(db, () => callEach(filled))), ...(await watchPlans(db, () => sumUp(filled)))];
      for (const plan of plans) log(plan);
      const scans = plans.filter((plan) => plan.includes('COLLSCAN')).length;
      const restarts = await measureRestarts(stack, filled);
      return [...figures, ...restarts, { name: 'collection scans', value: scans, unit: '', atMost: 0 }];
    } finally {
      await client.close();
    }
  });

async function measureCounts({ tenant, surveyId, responses }: FilledSurvey): Promise<readonly Figure[]> {
  const path = `/v1/surveys/${surveyId}/responses/count`;
  const count = async () => {
    // The reply is a count.
    const { count: found } = (await (await tenant.call('GET', path)).json()) as { count: number };
    if (found !== responses) throw new Error(`counted ${found} of ${responses}`);
  };
  const byStatus = () => tenant.call('GET', `${path}?status=completed`).then((reply) => reply.text());
  const [cold = Number.NaN] = await repeat(1, count);
  const [coldByStatus = Number.NaN] = await repeat(1, byStatus);
  return [
    { name: 'count', value: cold, unit: 'ms', atMost: TARGET_MS.count },
    ...latencyFigures('count again', await repeat(REPEATS, count), TARGET_MS.sameCount),
    { name: 'count by status', value: coldByStatus, unit: 'ms' },
    ...latencyFigures('count by status again', await repeat(REPEATS, byStatus), TARGET_MS.sameCount),
  ];
}

const filtersOf = ({ linkId }: FilledSurvey): Readonly<Record<string, string>> => ({
  '': '',
  ', by status': '&status=completed',
  ', by language': '&language=de',
  ', by link': `&link_id=${linkId}`,
  ', by link and status': `&link_id=${linkId}&status=completed`,
});

async function measureLists(filled: FilledSurvey): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [name, filter] of Object.entries(filtersOf(filled))) {
    for (const order of ['desc', 'asc']) {
      let path: string | undefined;
      const times = await repeat(REPEATS, async () => {
        path ??= `/v1/surveys/${filled.surveyId}/responses?limit=50&order=${order}${filter}`;
        const page: Response = await filled.tenant.call('GET', path);
        await page.text();
        path = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
      });
      figures.push(...latencyFigures(`page${name}, ${order}`, times, TARGET_MS.page));
    }
  }
  return figures;
}

async function measureSamples(filled: FilledSurvey): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [name, filter] of Object.entries(filtersOf(filled))) {
    const path = `/v1/surveys/${filled.surveyId}/responses?random=true&limit=100${filter}`;
    const times = await repeat(REPEATS, async () => {
      // The reply is a list.
      const sample = (await (await filled.tenant.call('GET', path)).json()) as readonly unknown[];
      if (sample.length !== 100) throw new Error(`the sample has ${sample.length} responses`);
    });
    figures.push(...latencyFigures(`sample of 100${name}`, times, TARGET_MS.sample));
  }
  return figures;
}

async function measureExports(
  stack: Stack,
  { tenant, surveyId, responses }: FilledSurvey,
  bareSpeed: number,
): Promise<readonly Figure[]> {
  // With the bench, which reads the file.
  const pids: Pids = new Map([...platformPids(stack), ['bench', process.pid]]);
  const exporting = { tenant, surveyId, pids, responses, bareSpeed };
  return [
    ...(await measureExport({ ...exporting, format: 'csv' })),
    ...(await measureExport({ ...exporting, format: 'ndjson' })),
  ];
}

/** Calls each operation once, with new filters, so nothing is cached. */
async function callEach(filled: FilledSurvey): Promise<void> {
  const { tenant, surveyId } = filled;
  const get = async (path: string) => void (await (await tenant.call('GET', `/v1/surveys/${surveyId}${path}`)).text());
  const since = new Date(Date.now() - 30 * 60_000).toISOString();
  for (const filter of Object.values(filtersOf(filled))) {
    await get(`/responses?limit=50${filter}`);
    await get(`/responses?limit=50&order=asc${filter}`);
    await get(`/responses?limit=100&random=true${filter}`);
    await get(`/responses/count?since=2000-01-01T00:00:00Z${filter}`);
  }
  await get(`/responses/export?since=${since}`);
}

/**
 * Uses a new time zone, so nothing is cached. Runs alone, because profiling so many pages would evict other entries.
 */
async function sumUp({ tenant, surveyId }: FilledSurvey): Promise<void> {
  await untilReply(() => tenant.call('GET', `/v1/surveys/${surveyId}/summary?tz=Europe/Berlin`));
}
