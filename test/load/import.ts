import { randomBytes, randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '@survey/local/stack';
import { Binary, MongoClient } from 'mongodb';
import { type Bench, type Figure, timeOf } from './figures.ts';
import { csvOf, ndjsonOf, surveyOfTwenty, xlsxOf } from './import-files.ts';
import { type BenchTenant, MUCH_MEMORY, platformPids, withPlatform } from './platform.ts';
import { cpuFigures, withCpu, withMemory } from './processes.ts';

/** Responses of the largest file. Others have a tenth. */
const RESPONSES = 1_000_000;
/** The first import, into a cold platform, has no limits. */
const FIRST_RESPONSES = 30_000;
/**
 * Responses per second, time as a multiple of bare inserting (see ADR 88), and memory of the import process in MB. About
 * 50 MB of it are the idle reading thread (see ADR 116).
 */
const TARGETS = {
  csv: { perSecond: 4_000, toBare: 28, megabytes: 300 },
  ndjson: { perSecond: 4_000, toBare: 25, megabytes: 300 },
  xlsx: { perSecond: 1_500, toBare: 33, megabytes: 400 },
};
type Format = keyof typeof TARGETS;
/** Interval for polling the job, which costs CPU of the measured processes. */
const POLL_EVERY_MS = 500;
const BARE_INSERTS = 100_000;
const BARE_BATCH = 1_000;
/** About the size of an encrypted response with twenty answers. */
const ENCRYPTED_BYTES = 600;

/** The used members of an import. */
interface Job {
  readonly id: string;
  readonly status: string;
  readonly progress: { readonly rows: number; readonly imported: number; readonly skipped: number };
  readonly finished_at?: string;
}

/** Measures responses per second from the first byte to the end of an import, and the usage of the import process. */
export const bench: Bench = ({ records = RESPONSES }) =>
  withPlatform(async ({ stack, folder, tenant }) => {
    const bareSpeed = await measureBareInserting(stack);
    const measure = async (format: Format, content: Iterable<string> | Buffer) => {
      // Not part of the measurement: clients have the file already.
      const path = join(folder, `responses.${format}`);
      await writeFile(path, content);
      return importFile(tenant, { stack, bareSpeed }, format, await openAsBlob(path));
    };
    const some = Math.ceil(records / 10);
    const first = await measure('ndjson', ndjsonOf(Math.min(some, FIRST_RESPONSES)));
    // Later imports find the memory that earlier ones needed, so those that need most come last.
    return [
      { name: 'bare inserting', value: bareSpeed, unit: '1/s' },
      ...first.map(({ name, value, unit }) => ({ name: `first import, ${name}`, value, unit })),
      ...(await measure('ndjson', ndjsonOf(some))),
      ...(await measure('ndjson', ndjsonOf(records))),
      ...(await measure('csv', csvOf(some))),
      ...(await measure('xlsx', await xlsxOf(some))),
    ];
  }, MUCH_MEMORY);

/** The floor: inserts durable documents in batches, with the MongoDB driver. Returns documents per second. */
async function measureBareInserting(stack: Stack): Promise<number> {
  const client = new MongoClient(stack.info().mongodb_uri);
  const db = client.db(`bare-${randomUUID()}`);
  const data = new Binary(randomBytes(ENCRYPTED_BYTES));
  try {
    const ms = await timeOf(async () => {
      for (let from = 0; from < BARE_INSERTS; from += BARE_BATCH) {
        const documents = Array.from({ length: BARE_BATCH }, () => ({ data, created_at: new Date() }));
        await db.collection('responses').insertMany(documents, { writeConcern: { w: 'majority', journal: true } });
      }
    });
    return (BARE_INSERTS / ms) * 1_000;
  } finally {
    await db.dropDatabase();
    await client.close();
  }
}

async function importFile(
  { call, send, publish }: BenchTenant,
  { stack, bareSpeed }: { readonly stack: Stack; readonly bareSpeed: number },
  format: Format,
  file: Blob,
): Promise<readonly Figure[]> {
  const surveyId = await publish(surveyOfTwenty);
  const pids = platformPids(stack);
  const importing = async () => {
    const accepted = await send(`/v1/surveys/${surveyId}/responses/import?format=${format}`, file);
    // For a file of this size, the reply is an import job.
    let job = (await accepted.json()) as Job;
    while (job.finished_at === undefined) {
      await delay(POLL_EVERY_MS);
      job = (await (await call('GET', `/v1/imports/${job.id}`)).json()) as Job;
    }
    return job;
  };
  const begin = performance.now();
  const { result, mostBytes } = await withMemory(pids.get('import') ?? 0, () => withCpu(pids, importing));
  const seconds = (performance.now() - begin) / 1_000;
  const { status, progress } = result.result;
  const { rows, imported, skipped } = progress;
  // Batches that were repeated after a late reply are skipped.
  if (status !== 'completed' || imported + skipped !== rows)
    throw new Error(`the import ended as ${status}, with ${imported + skipped} of ${rows}`);
  const name = `${rows} responses of ${format}`;
  const perSecond = rows / seconds;
  const target = TARGETS[format];
  return [
    { name: `${name}: end to end`, value: perSecond, unit: '1/s', atLeast: target.perSecond },
    { name: `${name}: time to bare inserting`, value: bareSpeed / perSecond, unit: 'ratio', atMost: target.toBare },
    { name: `${name}: time`, value: seconds, unit: 's' },
    {
      name: `${name}: maximum of the import process`,
      value: mostBytes / 1e6,
      unit: 'MB',
      atMost: target.megabytes,
    },
    ...cpuFigures(name, result.cpu, rows),
  ];
}
