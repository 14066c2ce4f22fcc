import type { Figure } from '../bench-report.ts';
import type { BenchTenant } from '../bench-tenant.ts';
import { measureCpu, type Pids } from '../measured-load.ts';
import { watchMemory } from '../resident-memory.ts';

const MB = 1024 * 1024;
const LINE_FEED = 10;
const ROWS_PER_SECOND = { csv: 30_000, ndjson: 45_000 };
/** Rows per second, divided by those of the MongoDB driver alone: see ADR 88. */
const LEAST_TO_BARE = { csv: 0.43, ndjson: 0.66 };
/** After summaries of the same responses. */
const MOST_MB = 350;

interface Exporting {
  readonly tenant: BenchTenant;
  readonly surveyId: string;
  readonly format: 'csv' | 'ndjson';
  /** Processes whose CPU time is reported: the exporting service and others. */
  readonly pids: Pids;
  /** Number of responses. */
  readonly responses: number;
  /** Rows per second of `measureBareReading`. */
  readonly bareSpeed: number;
}

/** Reads a complete export and samples the memory of the service. */
export async function measureExport(exporting: Exporting): Promise<readonly Figure[]> {
  const { tenant, surveyId, format, pids, responses, bareSpeed } = exporting;
  const memory = watchMemory(pids.get('response') ?? 0);
  const start = performance.now();
  const read = async () =>
    countLines(await tenant.call('GET', `/v1/surveys/${surveyId}/responses/export?format=${format}`));
  const { result: lines, cpu } = await measureCpu(`export as ${format}`, { pids, items: responses }, read);
  const most = await memory.stop();
  const seconds = (performance.now() - start) / 1_000;
  const rows = format === 'csv' ? lines - 1 : lines;
  if (rows !== responses) throw new Error(`the export as ${format} has ${rows} rows of ${responses}`);
  const rate = rows / seconds;
  return [
    { name: `export as ${format}`, value: rate, unit: 'rows/s', atLeast: ROWS_PER_SECOND[format] },
    {
      name: `export as ${format}: to bare reading`,
      value: rate / bareSpeed,
      unit: 'ratio',
      atLeast: LEAST_TO_BARE[format],
    },
    {
      name: `export as ${format}: resident`,
      value: most / MB,
      unit: 'MB',
      atMost: MOST_MB,
    },
    ...cpu,
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
