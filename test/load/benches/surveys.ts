import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@survey/local/stack';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { lunchSurvey } from '../../support/lunch-survey.ts';
import type { Bench, Figure } from '../bench-report.ts';
import { type BenchTenant, createBenchTenant } from '../bench-tenant.ts';
import { latencyFigures, quantile, repeat } from '../latencies.ts';

const SURVEYS = 100_000;
const BATCH = 5_000;
const REPEATS = 50;
const TARGET_MS = 50;
const START = Date.UTC(2025, 0, 1);
const seasons = ['Spring', 'Summer', 'Autumn', 'Winter'];
const projects = 20;

type Json = { readonly id: string };

/**
 * Measures lists of 100,000 surveys of a tenant: every page, and a page by each filter, compared with MongoDB itself.
 */
export const bench: Bench = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'survey-bench-'));
  const stack = await startStack({ dir: folder, demo: false, log: (line) => console.error(line) });
  const client = new MongoClient(stack.info().mongodb_uri);
  try {
    const surveys = client.db('survey-survey').collection('surveys');
    const tenant = await createBenchTenant(stack, folder);
    const projectId = await fill(tenant, surveys);
    return await measure(tenant, surveys, projectId);
  } finally {
    await client.close();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

/** Creates some surveys of every kind through the API, and copies their documents. Returns one project. */
async function fill(tenant: BenchTenant, surveys: Collection<Document>): Promise<string> {
  const make = async (path: string, body: unknown) =>
    // The reply is a record.
    ((await (await tenant.call('POST', path, body)).json()) as Json).id;
  const ids: string[] = [];
  for (let n = 0; n < projects; n += 1) ids.push(await make('/v1/projects', { name: `Project ${n}` }));
  for (let n = 0; n < projects * 5; n += 1) {
    const words = `Customer satisfaction ${seasons[n % 4]} ${n === 0 ? 'zebra' : ''} number ${n}`;
    const survey = { ...lunchSurvey.survey, title: words };
    const id = await make('/v1/surveys', { ...lunchSurvey, survey, project_id: ids[n % projects] });
    if (n % 2 === 0) await tenant.call('POST', `/v1/surveys/${id}/publish`);
    if (n % 4 === 0) await tenant.call('POST', `/v1/surveys/${id}/close`);
    if (n % 10 === 9) await tenant.call('DELETE', `/v1/surveys/${id}`);
  }
  const templates = await surveys.find({ tenant_id: tenant.tenantId }).toArray();
  for (let from = templates.length; from < SURVEYS; from += BATCH) {
    const length = Math.min(BATCH, SURVEYS - from);
    await surveys.insertMany(
      Array.from({ length }, (_, index) => {
        const n = from + index;
        const created_at = new Date(START + n * 60_000);
        const updated_at = new Date(START + ((n * 7_919) % SURVEYS) * 60_000);
        return { ...templates[n % templates.length], _id: randomUUID() as never, created_at, updated_at, outbox: [] };
      }),
    );
  }
  return ids[0] ?? '';
}

async function measure(tenant: BenchTenant, surveys: Collection<Document>, projectId: string): Promise<Figure[]> {
  const since = (minutes: number) => new Date(START + minutes * 60_000).toISOString();
  const filters: Readonly<Record<string, string>> = {
    status: 'status=active',
    project: `project_id=${projectId}`,
    'project and status': `project_id=${projectId}&status=closed`,
    'a word of every title': 'q=customer',
    'a word of few titles': 'q=zebra',
    'both words': 'q=customer+zebra',
    'time of creation': `created_since=${since(SURVEYS / 4)}&created_until=${since(SURVEYS / 2)}`,
    'time of change': `updated_since=${since(SURVEYS / 2)}`,
    'time of change, and status': `updated_since=${since(SURVEYS / 2)}&status=draft`,
    deleted: 'deleted=true',
  };
  // Reads all surveys with either word: reported without a limit.
  const neverTogether = await walk(tenant, '/v1/surveys?q=spring+summer', REPEATS);
  await walk(tenant, '/v1/surveys', 200);
  const pages = await walk(tenant, '/v1/surveys');
  const figures = [...latencyFigures(`every page (${pages.length})`, pages, TARGET_MS)];
  for (const [name, query] of Object.entries(filters)) {
    figures.push(...latencyFigures(`by ${name}`, await walk(tenant, `/v1/surveys?${query}`, REPEATS), TARGET_MS));
  }
  const floor = await repeat(REPEATS, () =>
    surveys
      .find({ tenant_id: tenant.tenantId, list_state: 'draft' })
      .sort({ created_at: -1, _id: -1 })
      .limit(51)
      .toArray(),
  );
  const ratio = quantile(pages, 0.5) / quantile(floor, 0.5);
  return [
    ...figures,
    { name: 'by two words of many titles that never meet: p50', value: quantile(neverTogether, 0.5), unit: 'ms' },
    { name: 'floor: 51 documents from MongoDB, p50', value: quantile(floor, 0.5), unit: 'ms' },
    { name: 'page to floor', value: ratio, unit: 'ratio' },
  ];
}

/** Follows the links of pages, and restarts at the end if more pages are needed. Returns milliseconds per page. */
async function walk({ call }: BenchTenant, first: string, count = Number.POSITIVE_INFINITY): Promise<number[]> {
  const times: number[] = [];
  let path: string | undefined = first;
  while (times.length < count) {
    const start = performance.now();
    const response: Response = await call('GET', path);
    await response.text();
    times.push(performance.now() - start);
    path = /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    if (path === undefined && count === Number.POSITIVE_INFINITY) break;
    path ??= first;
  }
  return times;
}
