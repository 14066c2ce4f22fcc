import { readFile } from 'node:fs/promises';
import type { Client, Survey, SurveyPayload } from '@survey/client';
import { checkDefinition } from '@survey/questionnaire/check-definition';
import { type Command, UsageError } from '../command.ts';
import { isLoggedIn } from '../credentials.ts';
import { findDifferences } from '../differences.ts';
import { replaceFile } from '../replace-file.ts';

export const surveysValidate: Command = {
  usage: 'FILE',
  summary: `checks a definition without storing it; exits with 1 if it has errors. Without a login, this machine checks it,
but not its settings and project.`,
  arity: [1, 1],
  run: async ({ args: [file = ''], env, client, print, note, signal }) => {
    const payload = await readPayload(file);
    const isOnline = await isLoggedIn(env);
    if (!isOnline) note('Not logged in: checked on this machine, without settings and project.');
    const report = isOnline
      ? await (await client()).surveys.validatePayload({ ...payload }, { signal })
      : checkDefinition(payload);
    for (const [level, problems] of [
      ['error', report.errors],
      ['warning', report.warnings],
    ] as const)
      for (const { path, code, detail } of problems) print(`${level} ${path || '/'} ${code}: ${detail}`);
    const isValid = report.errors.length === 0;
    if (isValid) print(`${file} is valid`);
    return isValid ? 0 : 1;
  },
};

export const surveysPush: Command = {
  usage: 'FILE [SURVEY_ID] [--draft] [--publish]',
  summary: `creates a survey, or a new version of it, and prints its id. The member version of the file must be
the current version of the survey: pull first. Afterwards, the number of the new version is written
to the file. On an active survey, the new version is published immediately, unless you set --draft.
--publish publishes it even if the survey is a draft.`,
  options: { draft: { type: 'boolean' }, publish: { type: 'boolean' } },
  arity: [1, 2],
  run: async ({ args: [file = '', id], client, hasFlag, print, note, signal }) => {
    const { surveys } = await client();
    const payload = await readPayload(file);
    const stored =
      id === undefined
        ? await surveys.create(payload, { signal })
        : await surveys.replace(id, payload, hasFlag('draft') ? { draft: true } : {}, { signal });
    // Print the id first: the survey is stored, even if it cannot be published.
    print(stored.id);
    if (stored.version !== payload.version) await writePayload(file, { ...payload, version: stored.version });
    const survey = hasFlag('publish') ? await surveys.publish(stored.id, { signal }) : stored;
    note(describePush(survey, id !== undefined && hasFlag('draft') && !hasFlag('publish')));
    return 0;
  },
};

function describePush({ version, status }: Survey, isDraft: boolean): string {
  if (!isDraft) return `version ${version}, ${status}`;
  return `saved as a draft; version ${version}, ${status}, stays as it is until you publish the draft`;
}

export const surveysPull: Command = {
  usage: 'SURVEY_ID [FILE] [--draft]',
  summary: 'writes the definition into a file, or to standard output; with --draft, the one that waits for publishing',
  options: { draft: { type: 'boolean' } },
  arity: [1, 2],
  run: async ({ args: [id = '', file], client, hasFlag, print, signal }) => {
    const payload = await fetchPayload(await client(), id, hasFlag('draft'), signal);
    if (file === undefined) print(JSON.stringify(payload, null, 2));
    else await writePayload(file, { ...(await readSchemaReference(file)), ...payload });
    return 0;
  },
};

export const surveysDiff: Command = {
  usage: 'FILE SURVEY_ID [--draft]',
  summary: 'prints the changes of the definition that a push of the file would make; exits with 1 if there are any',
  options: { draft: { type: 'boolean' } },
  arity: [2, 2],
  run: async ({ args: [file = '', id = ''], client, hasFlag, print, signal }) => {
    const { survey } = await readPayload(file);
    const stored = await fetchPayload(await client(), id, hasFlag('draft'), signal);
    const differences = findDifferences(stored.survey, survey, '/survey');
    for (const { oldPath, path, before, after } of differences) {
      if (before !== undefined) print(`- ${oldPath} ${JSON.stringify(before)}`);
      if (after !== undefined) print(`+ ${path} ${JSON.stringify(after)}`);
    }
    return differences.length === 0 ? 0 : 1;
  },
};

async function fetchPayload(
  { surveys }: Client,
  id: string,
  isDraft: boolean,
  signal: AbortSignal,
): Promise<SurveyPayload> {
  if (isDraft) {
    const { schema_version, based_on, definition } = await surveys.getDraft(id, { signal });
    return { schema_version, version: based_on, survey: definition };
  }
  const { schema_version, version, definition } = await surveys.get(id, { signal });
  return { schema_version, version, survey: definition };
}

/** Reads a file. The platform checks its content. */
async function readPayload(file: string): Promise<SurveyPayload> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new UsageError(`${file} cannot be read: ${cause.message}`);
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is not JSON: ${(cause as Error).message}`, { cause });
  }
}

/** Returns `$schema` of a file, which the platform does not keep. Empty if the file or the member is missing. */
async function readSchemaReference(file: string): Promise<object> {
  try {
    const { $schema } = JSON.parse(await readFile(file, 'utf8'));
    return typeof $schema === 'string' ? { $schema } : {};
  } catch {
    return {};
  }
}

async function writePayload(file: string, payload: SurveyPayload): Promise<void> {
  await replaceFile(file, `${JSON.stringify(payload, null, 2)}\n`);
}
