import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Stack, startStack } from '@survey/local/stack';
import type { Bench, Figure } from '../bench-report.ts';
import { type BenchTenant, createBenchTenant } from '../bench-tenant.ts';
import { csvOf, ndjsonOf, surveyOfTwenty, xlsxOf } from '../import-files.ts';
import { platformPids, readCpu } from '../measured-load.ts';
import { watchMemory } from '../resident-memory.ts';
import { lssOf, qsfOf } from '../survey-files.ts';
import { measureBareInserting } from './bare-driver.ts';

/** For a cold platform: reported without limits. */
const FIRST_RESPONSES = 30_000;
const RESPONSES = 100_000;
const MANY_RESPONSES = 1_000_000;
const CSV_BYTES = 50_000_000;
const LSS_BYTES = 1_000_000;
const TARGET_SURVEY_SECONDS = 2;
/** Responses per second, time as a multiple of bare inserting (see ADR 88), and memory of the import process in MB. */
const TARGETS = {
  csv: { perSecond: 4_000, toBare: 28, megabytes: 250 },
  ndjson: { perSecond: 4_000, toBare: 25, megabytes: 250 },
  xlsx: { perSecond: 1_500, toBare: 33, megabytes: 400 },
};
type Format = keyof typeof TARGETS;
/** Interval for polling the job, which costs CPU of the measured processes. */
const ASK_EVERY_MS = 500;

/** The used members of an import. */
interface Job {
  readonly id: string;
  readonly status: string;
  readonly progress: { readonly rows: number; readonly imported: number; readonly skipped: number };
  readonly finished_at?: string;
}

/** Measures responses per second from the first byte to the end of an import, and the usage of the import process. */
export const bench: Bench = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'survey-bench-'));
  // A million responses need more memory than the default limit of MongoDB.
  const stack = await startStack({
    dir: folder,
    demo: false,
    mongo: { useDefaultLimits: true },
    log: (line) => console.error(line),
  });
  try {
    const tenant = await createBenchTenant(stack, folder);
    const bareSpeed = await measureBareInserting(stack);
    const measure = async (format: Format, content: Iterable<string> | Buffer) => {
      // Not part of the measurement: clients have the file already.
      const path = join(folder, `responses.${format}`);
      await writeFile(path, content);
      return importFile(tenant, { stack, bareSpeed }, format, await openAsBlob(path));
    };
    const first = await measure('ndjson', ndjsonOf(FIRST_RESPONSES));
    // Later imports find the memory that earlier ones needed, so those that need most come last.
    return [
      { name: 'bare inserting', value: bareSpeed, unit: '1/s' },
      ...first.map(({ name, value, unit }) => ({ name: `first import, ${name}`, value, unit })),
      ...(await measure('ndjson', ndjsonOf(RESPONSES))),
      ...(await measure('ndjson', ndjsonOf(MANY_RESPONSES))),
      ...(await measure('csv', csvOf(CSV_BYTES))),
      ...(await measure('xlsx', await xlsxOf(RESPONSES))),
      await importSurvey(tenant, 'source=qualtrics&format=qsf', qsfOf(1_000)),
      await importSurvey(tenant, 'source=limesurvey&format=lss', lssOf(LSS_BYTES)),
    ];
  } finally {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

/** Measures the import of another tool's survey. */
async function importSurvey({ send }: BenchTenant, query: string, file: string): Promise<Figure> {
  const begin = performance.now();
  const made = await send(`/v1/surveys/import?${query}`, new Blob([file]));
  const seconds = (performance.now() - begin) / 1_000;
  // The reply is a survey.
  const { import: report } = (await made.json()) as { import: { questions: number } };
  return {
    name: `a survey of ${report.questions} questions, ${query}`,
    value: seconds,
    unit: 's',
    atMost: TARGET_SURVEY_SECONDS,
  };
}

async function importFile(
  { call, send }: BenchTenant,
  { stack, bareSpeed }: { readonly stack: Stack; readonly bareSpeed: number },
  format: Format,
  file: Blob,
): Promise<readonly Figure[]> {
  const made = await call('POST', '/v1/surveys', surveyOfTwenty);
  // The reply is a survey.
  const { id: surveyId } = (await made.json()) as { id: string };
  await call('POST', `/v1/surveys/${surveyId}/publish`);
  const pids = platformPids(stack);
  const memory = watchMemory(pids.get('import') ?? 0);
  const cpuBefore = await readCpu(pids);
  const begin = performance.now();
  const accepted = await send(`/v1/surveys/${surveyId}/responses/import?format=${format}`, file);
  // For a file of this size, the reply is an import job.
  let job = (await accepted.json()) as Job;
  while (job.finished_at === undefined) {
    await delay(ASK_EVERY_MS);
    job = (await (await call('GET', `/v1/imports/${job.id}`)).json()) as Job;
  }
  const seconds = (performance.now() - begin) / 1_000;
  const cpu = await readCpu(pids);
  const megabytes = (await memory.stop()) / 1e6;
  const { rows, imported, skipped } = job.progress;
  // Batches that were repeated after a late reply are skipped.
  if (job.status !== 'completed' || imported + skipped !== rows)
    throw new Error(`the import ended as ${job.status}, with ${imported + skipped} of ${rows}`);
  const name = `${rows} responses of ${format}`;
  const perSecond = rows / seconds;
  const target = TARGETS[format];
  return [
    { name: `${name}: end to end`, value: perSecond, unit: '1/s', atLeast: target.perSecond },
    {
      name: `${name}: time to bare inserting`,
      value: bareSpeed / perSecond,
      unit: 'ratio',
      atMost: target.toBare,
    },
    { name: `${name}: time`, value: seconds, unit: 's' },
    {
      name: `${name}: maximum of the import process`,
      value: megabytes,
      unit: 'MB',
      atMost: target.megabytes,
    },
    ...[...cpu].map(([process, used]) => ({
      name: `${name}: CPU of ${process} per response`,
      value: ((used - (cpuBefore.get(process) ?? 0)) / rows) * 1e6,
      unit: 'µs',
    })),
  ];
}
