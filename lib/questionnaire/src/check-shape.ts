import { locatedItems } from './definition/read-definition.ts';
import { isObject, itemsOf, type JsonObject } from './json.ts';
import { LIMITS } from './limits.ts';
import { createReport, type LintProblem, type ReportProblem } from './lint/report.ts';
import { reportShapeProblems } from './schema/report-shape-problems.ts';

/**
 * Checks that a definition can be stored, also as a draft. It takes any JSON value and never throws.
 *
 * `schema/definition-schema.ts` describes the payload. `compile(definition).lint` reports problems that block only
 * publishing.
 */
export function checkShape(definition: unknown): readonly LintProblem[] {
  const { report, lint } = createReport();
  reportShapeProblems(definition, 'storing', report);
  if (isObject(definition)) checkLimits(definition, report);
  return lint.errors;
}

/** Checks the size, the nesting and the number of items of a definition. */
function checkLimits(definition: JsonObject, report: ReportProblem): void {
  checkSize(definition, report);
  const survey = definition.survey;
  if (!isObject(survey)) return;

  const languages = itemsOf(survey.supported_languages).length;
  reportExcess(languages, LIMITS.languages, 'languages', '/survey/supported_languages', report);

  const questions = locatedItems(survey, 'pages', '/survey').flatMap((page) =>
    locatedItems(page.source, 'questions', page.path),
  );
  reportExcess(questions.length, LIMITS.questions, 'questions', '/survey/pages', report);
  for (const { source, path } of questions) {
    for (const name of ['options', 'rows', 'columns']) {
      reportExcess(itemsOf(source[name]).length, LIMITS.options, `${name} in a question`, `${path}/${name}`, report);
    }
  }
  const cells = questions.reduce((sum, { source }) => sum + cellsOf(source), 0);
  reportExcess(cells, LIMITS.cells, 'cells of rows, columns and options', '/survey/pages', report);

  const conditions = locatedItems(survey, 'logic', '/survey').reduce(
    (sum, entry) => sum + itemsOf(entry.source.conditions).length,
    0,
  );
  reportExcess(conditions, LIMITS.conditions, 'conditions', '/survey/logic', report);
}

function reportExcess(count: number, limit: number, unit: string, path: string, report: ReportProblem): void {
  if (count > limit) report('LIMIT_EXCEEDED', path, `${count} ${unit}; at most ${limit} are allowed`);
}

/**
 * Rows times options or columns, for any question type. This number bounds the CSV columns and summary counters of the
 * question, except those for `other`.
 */
function cellsOf(question: JsonObject): number {
  const count = (name: string): number => Math.max(1, itemsOf(question[name]).length);
  return count('rows') * Math.max(count('options'), count('columns'));
}

function checkSize(definition: JsonObject, report: ReportProblem): void {
  if (isDeeperThan(definition, LIMITS.nesting)) {
    report('LIMIT_EXCEEDED', '', `the definition is nested more than ${LIMITS.nesting} levels deep`);
    return; // JSON.stringify recurses and could overflow the stack.
  }
  const bytes = new TextEncoder().encode(JSON.stringify(definition)).length;
  reportExcess(bytes, LIMITS.definitionBytes, 'bytes of definition', '', report);
}

function isDeeperThan(root: unknown, limit: number): boolean {
  let level: readonly unknown[] = [root];
  for (let depth = 0; depth <= limit; depth++) {
    level = level.filter((value) => typeof value === 'object' && value !== null);
    if (level.length === 0) return false;
    // Object.values takes both objects and arrays.
    level = level.flatMap((value) => Object.values(value as object));
  }
  return true;
}
