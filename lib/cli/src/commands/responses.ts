import { createWriteStream, openAsBlob } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiError,
  type CountResponsesQuery,
  type CountResponsesRequest,
  type ExportResponsesQuery,
  type ExportResponsesRequest,
  type ImportJob,
  type ImportReport,
  type ImportResponsesQuery,
  type PlanResponseDeletionRequest,
} from '@survey/client';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { describeImport } from '../describe-import.ts';
import { MAX_OUTAGE_RETRIES } from '../outage.ts';
import { replaceFile } from '../replace-file.ts';

const FORMATS = ['csv', 'xlsx', 'ndjson', 'json'] as const;

const FILTERS = ['since', 'until', 'status', 'version', 'language', 'link-id'] as const;
const SELECTION = `[--where FILE|JSON] [--since TIME] [--until TIME] [--status STATUS] [--version NUMBER]
      [--language TAG] [--link-id ID]`;
const selectionOptions = Object.fromEntries(['where', ...FILTERS].map((name) => [name, { type: 'string' as const }]));

/**
 * The conditions and filters that were given. The platform checks them. Without conditions, send them in the query:
 * earlier releases have no operations with conditions.
 */
async function readSelection({ option }: CommandContext): Promise<object> {
  const filters = FILTERS.map((name) => [name.replaceAll('-', '_'), option(name)] as const);
  const given = filters.filter(([, value]) => value !== undefined);
  const numbered = given.map(([name, value]) => [name, name === 'version' ? toCount('version', value) : value]);
  const where = option('where');
  return { ...(where !== undefined && { where: await readConditions(where) }), ...Object.fromEntries(numbered) };
}

async function readConditions(given: string): Promise<unknown> {
  const text = given.trimStart().startsWith('{') ? given : await readFile(given, 'utf8').catch(unreadable);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`--where is not JSON: ${(cause as Error).message}`);
  }
}

function unreadable({ message }: Error): never {
  throw new UsageError(`--where cannot be read: ${message}`);
}

function toCount(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`--${name} is not a number: ${text}`);
  return Number(text);
}

export const responsesCount: Command = {
  usage: `SURVEY_ID ${SELECTION}`,
  summary: 'prints the number of responses',
  options: selectionOptions,
  arity: [1, 1],
  run: async (context) => {
    const [surveyId = ''] = context.args;
    const selection = await readSelection(context);
    const { responses } = await context.client();
    const options = { signal: context.signal, maxRetries: MAX_OUTAGE_RETRIES };
    const { count, lacking_question: lacking = 0 } = await (context.option('where') === undefined
      ? responses.count(surveyId, selection as CountResponsesQuery, options)
      : responses.countByQuery(surveyId, selection as CountResponsesRequest, options));
    context.print(String(count));
    if (lacking > 0) context.note(`${lacking} responses are of versions without a question of the conditions.`);
    return 0;
  },
};

export const responsesExport: Command = {
  usage: `SURVEY_ID [--format csv|xlsx|ndjson|json] [--output FILE] ${SELECTION}`,
  summary: 'writes responses to standard output or to a file. If the export fails, there is no file.',
  options: {
    format: { type: 'string' },
    output: { type: 'string' },
    ...selectionOptions,
  },
  arity: [1, 1],
  run: async (context) => {
    const [surveyId = ''] = context.args;
    const format = FORMATS.find((one) => one === (context.option('format') ?? 'csv'));
    if (format === undefined) throw new UsageError(`--format is one of ${FORMATS.join(', ')}`);
    const query = { format, ...(await readSelection(context)) };
    const { responses } = await context.client();
    const options = { signal: context.signal };
    const { body } = await (context.option('where') === undefined
      ? responses.export(surveyId, query as ExportResponsesQuery, options)
      : responses.exportByQuery(surveyId, query as ExportResponsesRequest, options));
    if (body !== null) await write(Readable.fromWeb(body as ReadableStream), context);
    return 0;
  },
};

const IMPORT_OPTIONS = [
  ...['source', 'format', 'encoding', 'separator', 'locale', 'date-format', 'decimal', 'columns'],
  ...['on-invalid-answer', 'partial-responses'],
] as const;
const POLL_MS = 1_000;

export const responsesImport: Command = {
  usage: `SURVEY_ID FILE [--dry-run] [--source SOURCE] [--format FORMAT] [--on-invalid-answer keep|reject|blank]
      [--partial-responses in_progress|completed|leave_out] [--include-tests]
      [--columns JSON] [--encoding NAME] [--separator CHARACTER] [--locale TAG] [--date-format FORMAT] [--decimal .|,]`,
  summary: `adds the responses of a file to a survey, and prints the report as JSON. The default format is the
extension of the file. The exit code is 1 if a response is rejected.`,
  options: {
    ...Object.fromEntries(IMPORT_OPTIONS.map((name) => [name, { type: 'string' as const }])),
    'dry-run': { type: 'boolean' },
    'include-tests': { type: 'boolean' },
  },
  arity: [2, 2],
  run: async ({ args, option, hasFlag, client, print, note, signal }) => {
    const [surveyId = '', path = ''] = args;
    const given = IMPORT_OPTIONS.map((name) => [name.replaceAll('-', '_'), option(name)] as const);
    const query = {
      format: extname(path).slice(1).toLowerCase(),
      ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
      dry_run: hasFlag('dry-run'),
      include_tests: hasFlag('include-tests'),
    };
    const file = await openAsBlob(path);
    const { imports } = await client();
    // The platform checks the values.
    let report: ImportReport | ImportJob = await imports.importResponses(
      surveyId,
      file,
      query as ImportResponsesQuery,
      { signal },
    );
    if (isRunning(report)) note(`Import ${report.id} is running. It continues without this command.`);
    while (isRunning(report)) {
      await sleep(POLL_MS, undefined, { signal });
      report = await imports.get(report.id, { signal, maxRetries: MAX_OUTAGE_RETRIES });
    }
    print(JSON.stringify(report, null, 2));
    for (const line of describeImport(report, hasFlag('dry-run'))) note(line);
    return report.status === 'completed' && (report.failed ?? 0) === 0 ? 0 : 1;
  },
};

function isRunning({ status }: ImportReport | ImportJob): boolean {
  return status === 'running' || status === 'cancelling';
}

export const responsesDelete: Command = {
  usage: `SURVEY_ID [--dry-run] [--expected-count NUMBER] [--all] ${SELECTION}`,
  summary: `deletes the responses that match conditions and filters, and prints the numbers as JSON. --dry-run only counts
them, and prints a plan with some of their ids. With --expected-count, nothing is deleted if their number
is another one. --all deletes all responses.`,
  options: {
    'dry-run': { type: 'boolean' },
    'expected-count': { type: 'string' },
    all: { type: 'boolean' },
    ...selectionOptions,
  },
  arity: [1, 1],
  run: async (context) => {
    const { args, option, hasFlag, print, note, signal } = context;
    const [surveyId = ''] = args;
    const selection = await readSelection(context);
    const request = { ...selection, all: hasFlag('all'), dry_run: true } as PlanResponseDeletionRequest;
    const expected = toCount('expected-count', option('expected-count'));
    const { responses } = await context.client();
    const plan = await repeatLongRequest(context, () => responses.planDeletion(surveyId, request, { signal }));
    if (hasFlag('dry-run')) {
      print(JSON.stringify(plan, null, 2));
      return 0;
    }
    if (expected !== undefined && expected !== plan.count) {
      note(`${plan.count} responses match, not ${expected}. Nothing is deleted.`);
      return 1;
    }
    for (;;) {
      const progress = await repeatLongRequest(context, () =>
        responses.deletePlanned(surveyId, plan.plan_id, { expected_count: plan.count }, { signal }),
      );
      const { deleted, skipped, remaining, complete } = progress;
      note(`${deleted} deleted, ${skipped} skipped because they were changed, ${remaining} remaining`);
      if (!complete) continue;
      print(JSON.stringify({ plan_id: plan.plan_id, ...progress }, null, 2));
      return 0;
    }
  },
};

/** Statuses after which the platform may go on with the request: a lost connection or a timeout. */
const UNFINISHED: readonly number[] = [0, 502, 504];
const REPEAT_MS = 5_000;

/** Repeats a request that is safe to repeat until the platform has carried it out. */
async function repeatLongRequest<T>({ note, signal }: CommandContext, request: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ApiError) || !UNFINISHED.includes(error.status) || failures >= MAX_OUTAGE_RETRIES)
        throw error;
      note(error.message);
      const { retryAfterSeconds } = error;
      const pauseMs = retryAfterSeconds === undefined ? REPEAT_MS : retryAfterSeconds * 1_000;
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

export const responsesFollow: Command = {
  usage: 'SURVEY_ID [--cursor-file FILE]',
  summary: `prints all responses and then every change as JSON lines, until Ctrl-C. With --cursor-file, it continues where it
stopped: FILE is written after each group of changes is printed.`,
  options: { 'cursor-file': { type: 'string' } },
  arity: [1, 1],
  run: async (context) => {
    const { args, option, stdout, signal } = context;
    const [surveyId = ''] = args;
    const file = option('cursor-file');
    const cursor = file === undefined ? '' : await readFile(file, 'utf8').catch(emptyIfMissing);
    const { responses } = await context.client();
    try {
      const options = { signal, limit: 1000, ...(cursor === '' ? {} : { cursor: cursor.trim() }) };
      for await (const { changes, next_cursor } of responses.follow(surveyId, options)) {
        const lines = changes.map((change) => `${JSON.stringify(change)}\n`).join('');
        await new Promise<void>((resolve, reject) =>
          stdout.write(lines, (error) => (error ? reject(error) : resolve())),
        );
        if (file !== undefined) await replaceFile(file, `${next_cursor}\n`);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return 0;
  },
};

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}

async function write(content: Readable, { option, stdout, signal }: CommandContext): Promise<void> {
  const output = option('output');
  if (output === undefined) return pipeline(content, stdout, { signal, end: false });
  const unfinished = `${output}.${process.pid}.part`;
  try {
    await pipeline(content, createWriteStream(unfinished), { signal });
    await rename(unfinished, output);
  } finally {
    await rm(unfinished, { force: true });
  }
}
