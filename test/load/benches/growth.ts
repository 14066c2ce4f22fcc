import { type Bench, type Figure, median } from '../bench-report.ts';
import { repeat } from '../latencies.ts';
import { measureDeliveries } from './delivery.ts';
import { type FilledSurvey, withFilledSurvey } from './filled-survey.ts';
import { startMetricsProcess } from './metrics.ts';

const REPEATS = 20;
/** Numbers of responses, in order. `SURVEY_BENCH_RESPONSES` adds a larger one. */
const RESPONSES = [10_000, 100_000];
const TENANTS = [10, 1_000, 100_000];
/** Creating more webhooks takes long. */
const RECEIVING_TENANTS = [10, 1_000];
const EVENTS = 3_000;

/** Medians by the name of the measured operation. */
type Medians = ReadonlyMap<string, number>;

/** Measures operations at several numbers of responses and tenants, and how they grow: 0 is constant, 1 is linear. */
export const bench: Bench = async () => [
  ...toFigures('responses', 'ms', await measureResponses()),
  ...toFigures('tenants', 'ms', await measureMetrics()),
  ...toFigures('tenants', 'µs', await measureWebhooks()),
];

async function measureResponses(): Promise<ReadonlyMap<number, Medians>> {
  const most = Number(process.env['SURVEY_BENCH_RESPONSES'] ?? 0);
  const [first = 0, ...larger] = [...RESPONSES, ...(most > Math.max(...RESPONSES) ? [most] : [])];
  return withFilledSurvey(async ({ filled, grow, log }) => {
    const measured = new Map([[first, await measureSurvey(filled)]]);
    for (const responses of larger) {
      log(`filling in ${responses} responses`);
      await grow(responses);
      measured.set(responses, await measureSurvey(filled));
    }
    return measured;
  }, first);
}

async function measureSurvey({ tenant, surveyId, answers }: FilledSurvey): Promise<Medians> {
  const path = `/v1/surveys/${surveyId}/responses`;
  const send = async (...call: Parameters<typeof tenant.call>) => void (await (await tenant.call(...call)).text());
  // Each count has a filter of its own, so none is cached.
  let day = Date.UTC(2000, 0, 1);
  const nextDay = () => {
    day += 24 * 60 * 60_000;
    return new Date(day).toISOString();
  };
  const operations: Readonly<Record<string, () => Promise<void>>> = {
    page: () => send('GET', `${path}?limit=50`),
    count: () => send('GET', `${path}/count?since=${nextDay()}`),
    'sample of 100': () => send('GET', `${path}?random=true&limit=100`),
    submit: () => send('POST', path, { data: answers[0] }),
  };
  const medians = new Map<string, number>();
  for (const [name, run] of Object.entries(operations)) {
    // Compiles the code and fills caches.
    await repeat(REPEATS, run);
    medians.set(name, median(await repeat(REPEATS, run)));
  }
  return medians;
}

async function measureMetrics(): Promise<ReadonlyMap<number, Medians>> {
  const measured = new Map<number, Medians>();
  for (const tenants of TENANTS) {
    const target = await startMetricsProcess(tenants);
    try {
      const times = await repeat(REPEATS, () => target.scrape({}));
      measured.set(tenants, new Map([['metrics page', median(times)]]));
    } finally {
      await target.stop();
    }
  }
  return measured;
}

async function measureWebhooks(): Promise<ReadonlyMap<number, Medians>> {
  const measured = await measureDeliveries(RECEIVING_TENANTS, EVENTS);
  return new Map([...measured].map(([tenants, cpuUs]) => [tenants, new Map([['CPU per delivery', cpuUs]])]));
}

function toFigures(sizes: string, unit: string, measured: ReadonlyMap<number, Medians>): readonly Figure[] {
  const names = [...(measured.values().next().value?.keys() ?? [])];
  return names.flatMap((name) => {
    const points = [...measured].map(([size, medians]) => [size, medians.get(name) ?? Number.NaN] as const);
    const times = points.map(([size, value]) => ({ name: `${name}, ${size} ${sizes}`, value, unit }));
    return [...times, { name: `${name}: slope by ${sizes}`, value: slopeOf(points), unit: '' }];
  });
}

/** Slope of the least-squares line through the logarithms of sizes and values. */
function slopeOf(points: readonly (readonly [size: number, value: number])[]): number {
  const logs = points.map(([size, value]) => [Math.log(size), Math.log(value)] as const);
  const mean = (index: 0 | 1) => logs.reduce((sum, log) => sum + log[index], 0) / logs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
