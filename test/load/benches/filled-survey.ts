import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Stack, startStack } from '@survey/local/stack';
import { toPaths } from '@survey/local/stack/folder';
import { type BenchTenant, createBenchTenant } from '../bench-tenant.ts';
import { fillResponses } from './reading-fill.ts';
import { readingSurvey } from './reading-survey.ts';

const RESPONSES = Number(process.env['SURVEY_BENCH_RESPONSES'] ?? 1_000_000);
export const DATABASE = 'survey-response';
const LINKS = 3;
/** Submitted through the API first, which proves that the answers are valid. */
const SUBMITTED = 20;
/** After this time, services treat the survey as unchanged. */
const WINDOW_MS = 61_000;

/** A survey with many encrypted responses. */
export interface FilledSurvey {
  readonly tenant: BenchTenant;
  readonly surveyId: string;
  readonly linkId: string;
  readonly responses: number;
  readonly answers: readonly unknown[];
}

interface Context {
  readonly stack: Stack;
  readonly filled: FilledSurvey;
  /** Adds responses up to this number. */
  readonly grow: (responses: number) => Promise<void>;
  readonly log: (line: string) => void;
}

/** Runs work with a stack of its own, and a survey with responses. Default: `SURVEY_BENCH_RESPONSES`, or a million. */
export async function withFilledSurvey<T>(work: (context: Context) => Promise<T>, responses = RESPONSES): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'survey-bench-'));
  const log = (line: string) => console.error(line);
  // A million responses need more memory than the default limit of MongoDB.
  const stack = await startStack({ dir: folder, demo: false, mongo: { useDefaultLimits: true }, log });
  try {
    log(`filling in ${responses} responses`);
    const { grow, ...filled } = await fill(stack, folder, responses);
    return await work({ stack, filled, grow, log });
  } finally {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(stack: Stack, folder: string, responses: number): Promise<FilledSurvey & Pick<Context, 'grow'>> {
  const tenant = await createBenchTenant(stack, folder);
  const { survey, answers } = readingSurvey();
  const make = async (path: string, body: unknown = {}) =>
    // The reply is a record.
    ((await (await tenant.call('POST', path, body)).json()) as { id: string }).id;
  const surveyId = await make('/v1/surveys', survey);
  await tenant.call('POST', `/v1/surveys/${surveyId}/publish`);
  const linkIds: string[] = [];
  while (linkIds.length < LINKS) linkIds.push(await make(`/v1/surveys/${surveyId}/links`));
  for (const data of answers.slice(0, SUBMITTED)) await make(`/v1/surveys/${surveyId}/responses`, { data });
  const lastWrite = performance.now();
  const keyring = toPaths(folder).keys;
  const task = {
    uri: stack.info().mongodb_uri,
    database: DATABASE,
    keyring: join(keyring, 'encryption-keyring.json'),
    tenantId: tenant.tenantId,
    surveyId,
    linkIds,
    answers,
  };
  let from = 0;
  const grow = async (to: number) => {
    await fillResponses({ folder, from, to, task });
    from = to;
  };
  await grow(responses);
  await pause(Math.max(0, WINDOW_MS - (performance.now() - lastWrite)));
  return { tenant, surveyId, linkId: linkIds[0] ?? '', responses: responses + SUBMITTED, answers, grow };
}
