import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { toPaths } from '@survey/local/stack/folder';
import { type BenchPlatform, log } from './platform.ts';

/** The database of the response service. */
export const DATABASE = 'survey-response';
const SCRIPT = fileURLToPath(new URL('../../services/response/src/testing/fill-responses.ts', import.meta.url));
const PROCESSES = 2;
const LINKS = 3;
/** Submitted through the API first, which proves that the answers are valid. */
const SUBMITTED = 20;
/** After this time, services treat the survey as unchanged. */
const WINDOW_MS = 61_000;
/** Number of different answers, which is enough. */
const ANSWERS = 1_000;
const QUESTIONS = 30;

/** A survey with many encrypted responses. */
export interface FilledSurvey {
  /** The path of the survey in the API. */
  readonly path: string;
  readonly linkId: string;
  readonly responses: number;
  /** Valid answers to it. */
  readonly answers: unknown;
}

/** Creates a survey, and encrypted responses with the service's own code, in several processes. */
export async function fillSurvey(platform: BenchPlatform, responses: number): Promise<FilledSurvey> {
  const { stack, folder, tenant } = platform;
  log(`filling in ${responses} responses`);
  const surveyId = await tenant.publish(survey);
  const path = `/v1/surveys/${surveyId}`;
  const linkIds: string[] = [];
  while (linkIds.length < LINKS) linkIds.push(await tenant.create(`${path}/links`));
  const answers = Array.from({ length: ANSWERS }, (_, n) => answersOf(n));
  for (const data of answers.slice(0, SUBMITTED)) await tenant.create(`${path}/responses`, { data });
  const lastWrite = performance.now();
  const task = {
    uri: stack.info().mongodb_uri,
    database: DATABASE,
    keyring: join(toPaths(folder).keys, 'encryption-keyring.json'),
    tenantId: tenant.tenantId,
    surveyId,
    linkIds,
    answers,
  };
  const share = Math.ceil(responses / PROCESSES);
  const filled = Array.from({ length: PROCESSES }, async (_, index) => {
    const from = index * share;
    const file = join(folder, `fill-${index}.json`);
    await writeFile(file, JSON.stringify({ ...task, from, to: Math.min(from + share, responses) }));
    const [code] = await once(fork(SCRIPT, [file]), 'exit');
    if (code !== 0) throw new Error(`cannot create responses: exit code ${code}`);
  });
  await Promise.all(filled);
  await pause(Math.max(0, WINDOW_MS - (performance.now() - lastWrite)));
  return { path, linkId: linkIds[0] ?? '', responses: responses + SUBMITTED, answers: answers[0] };
}

type JsonObject = { readonly [key: string]: unknown };

const options = Array.from({ length: 6 }, (_, index) => `option ${index}`);
const scale = ['never', 'sometimes', 'often', 'always'];
const rows = ['morning', 'noon', 'evening'];

/** A question of each kind, with the answer of respondent `n`. */
const KINDS: readonly (readonly [members: JsonObject, answer: (n: number) => unknown])[] = [
  [{ type: 'single_choice', options }, (n) => options[n % 6]],
  [{ type: 'rating', min: 0, max: 10 }, (n) => n % 11],
  [{ type: 'multiple_choice', options }, (n) => options.filter((_, index) => (n >> index) % 2 === 0)],
  [{ type: 'likert', options: scale }, (n) => scale[n % 4]],
  [{ type: 'text', format: 'integer' }, (n) => String(18 + (n % 70))],
  [{ type: 'textarea' }, (n) => `Number ${n} says that it was good. `.repeat(1 + (n % 4))],
  [
    { type: 'matrix', rows, columns: scale },
    (n) => Object.fromEntries(rows.map((row, m) => [row, scale[(n + m) % 4]])),
  ],
  [{ type: 'text' }, (n) => `Zoë ${n}, Zürich`],
  [{ type: 'date' }, (n) => `20${10 + (n % 15)}-0${1 + (n % 9)}-1${n % 10}`],
  [{ type: 'single_choice', options: ['yes', 'no'] }, (n) => (n % 3 === 0 ? 'no' : 'yes')],
];

const kindOf = (index: number) => KINDS[index % KINDS.length] ?? [{ type: 'text' }, () => 'x'];

/** Three questions of each kind. */
const questions = Array.from({ length: QUESTIONS }, (_, index) => ({
  id: `q${index}`,
  title: `Question ${index}`,
  ...kindOf(index)[0],
}));

const survey = {
  schema_version: '1.0',
  version: 1,
  survey: { title: 'Reading', supported_languages: ['en', 'de'], pages: [{ questions }] },
};

/** The answers of respondent `n`, a tenth of which are missing. */
function answersOf(n: number): JsonObject {
  return Object.fromEntries(
    questions.flatMap(({ id }, index) => {
      const answer = (n + index) % 10 === 0 ? undefined : kindOf(index)[1](n + index);
      return answer === undefined || (Array.isArray(answer) && answer.length === 0) ? [] : [[id, answer]];
    }),
  );
}
