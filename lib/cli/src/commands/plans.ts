import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { ImportPlan, PlanResponseImportQuery, PlanSurveyImportQuery } from '@survey/client';
import type { Command, CommandContext } from '../command.ts';
import { describePlan } from '../describe-plan.ts';

const OPTIONS = ['source', 'format', 'encoding', 'separator', 'locale', 'date-format', 'decimal', 'columns'] as const;
const USAGE = `[--source SOURCE] [--format FORMAT] [--columns JSON]
      [--encoding NAME] [--separator CHARACTER] [--locale TAG] [--date-format FORMAT] [--decimal .|,]`;
const options = Object.fromEntries(OPTIONS.map((name) => [name, { type: 'string' as const }]));
/** The platform treats a body of this size as the beginning of a larger file. */
const HEAD_BYTES = 1_000_000;

export const surveysPlan: Command = {
  usage: `FILE ${USAGE}`,
  summary: `shows how an import would make a survey of a file, and prints the plan as JSON. Nothing is stored. The exit code
is 1 if the import would be rejected.`,
  options,
  arity: [1, 1],
  run: async (context) => {
    const [path = ''] = context.args;
    const { imports } = await context.client();
    const query = toQuery(path, context) as PlanSurveyImportQuery;
    return show(await imports.planSurvey(await readHead(path), query, { signal: context.signal }), context);
  },
};

export const responsesPlan: Command = {
  usage: `SURVEY_ID FILE ${USAGE}`,
  summary: `shows how an import would read responses: the target of each column, and problems. Prints the plan as JSON, and
stores nothing. The exit code is 1 if the import would be rejected.`,
  options,
  arity: [2, 2],
  run: async (context) => {
    const [surveyId = '', path = ''] = context.args;
    const { imports } = await context.client();
    const query = toQuery(path, context) as PlanResponseImportQuery;
    return show(await imports.planResponse(surveyId, await readHead(path), query, { signal: context.signal }), context);
  },
};

/** The options that were given. The platform checks the values. */
function toQuery(path: string, { option }: CommandContext): object {
  const given = OPTIONS.map((name) => [name.replaceAll('-', '_'), option(name)] as const);
  return { filename: basename(path), ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
}

async function readHead(path: string): Promise<Blob> {
  const file = await openAsBlob(path);
  return file.slice(0, HEAD_BYTES);
}

function show(plan: ImportPlan, { print, note }: CommandContext): number {
  print(JSON.stringify(plan, null, 2));
  for (const line of describePlan(plan)) note(line);
  return plan.problems.length === 0 && plan.columns.every(({ problems }) => problems.length === 0) ? 0 : 1;
}
