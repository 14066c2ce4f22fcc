import { createWriteStream } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { ExportResponsesQuery } from '@survey/client';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { replaceFile } from '../replace-file.ts';

const FORMATS = ['csv', 'xlsx', 'ndjson', 'json'] as const;

const FILTERS = ['since', 'status', 'version'] as const;

export const responsesExport: Command = {
  usage:
    'SURVEY_ID [--format csv|xlsx|ndjson|json] [--since TIME] [--status STATUS] [--version NUMBER] [--output FILE]',
  summary: 'writes responses to standard output, or into a file, which is complete or missing',
  options: {
    format: { type: 'string' },
    since: { type: 'string' },
    status: { type: 'string' },
    version: { type: 'string' },
    output: { type: 'string' },
  },
  arity: [1, 1],
  run: async (context) => {
    const [surveyId = ''] = context.args;
    const format = FORMATS.find((one) => one === (context.option('format') ?? 'csv'));
    if (format === undefined) throw new UsageError(`--format is one of ${FORMATS.join(', ')}`);
    const filters = FILTERS.map((name) => [name, context.option(name)] as const);
    const query = { format, ...Object.fromEntries(filters.filter(([, value]) => value !== undefined)) };
    const client = await context.client();
    // The platform checks the values.
    const { body } = await client.responses.export(surveyId, query as ExportResponsesQuery, { signal: context.signal });
    if (body !== null) await write(Readable.fromWeb(body as ReadableStream), context);
    return 0;
  },
};

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
