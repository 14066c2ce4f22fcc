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
  readonly log: (line: string) => void;
}

/** Runs work with a stack of its own, and a survey with a million responses or `SURVEY_BENCH_RESPONSES`. */
export async function withFilledSurvey<T>(work: (context: Context) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'survey-bench-'));
  const log = (line: string) => console.error(line);
  // A million responses need more memory than the default limit of MongoDB.
  const stack = await startStack({ dir: folder, demo: false, mongo: { useDefaultLimits: true }, log });
  try {
    log(`filling in ${RESPONSES} responses`);
    return await work({ stack, filled: await fill(stack, folder), log });
  } finally {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(stack: Stack, folder: string): Promise<FilledSurvey> {
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
  await fillResponses({
    folder,
    responses: RESPONSES,
    task: {
      uri: stack.info().mongodb_uri,
      database: DATABASE,
      keyring: join(keyring, 'encryption-keyring.json'),
      tenantId: tenant.tenantId,
      surveyId,
      linkIds,
      answers,
    },
  });
  await pause(Math.max(0, WINDOW_MS - (performance.now() - lastWrite)));
  return { tenant, surveyId, linkId: linkIds[0] ?? '', responses: RESPONSES + SUBMITTED, answers };
}
