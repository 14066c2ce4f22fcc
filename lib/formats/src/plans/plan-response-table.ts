import { unmaskStart } from '@survey/questionnaire/columns/csv';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { ANSWER_TABLE } from '../answer-table/table-words.ts';
import { createHeaderIndex, type HeaderIndex, questionOf, SETTABLE } from '../core/columns/header-index.ts';
import { toLooseKey } from '../core/columns/headings.ts';
import { givenColumns, rivalsOf } from '../core/columns/mapped-columns.ts';
import { rejectProblems } from '../core/columns/match-headers.ts';
import { collectProblems, planColumns } from '../core/columns/plan.ts';
import { MAX_TABLE_HEADER, type ReadTableHeader } from '../core/columns/table-header.ts';
import { findToolRows, learnToolValues } from '../core/columns/tool-rows.ts';
import type { AnsweredSurvey } from '../core/reader.ts';
import { readLimesurveyHeader } from '../limesurvey/headers.ts';
import { tableSourceOf } from '../sources.ts';
import { firstRows } from '../tables/first-rows.ts';
import { readNames } from '../tables/header.ts';
import { mapCells } from '../tables/map-cells.ts';
import type { Table } from '../tables/open-table.ts';
import type { PlanRequest, TablePlan } from './file-plan.ts';
import type { Guess } from './guess-file.ts';

/** Finds the targets of the columns of a table with responses to a survey. */
export async function planResponseTable(
  opened: Table,
  { source }: Guess,
  survey: AnsweredSurvey,
  request: PlanRequest,
): Promise<TablePlan> {
  const { payload, definition } = survey;
  const index = createHeaderIndex(payload, definition);
  const targets = [
    ...SETTABLE.map((name) => ({ name, title: '' })),
    ...index.targetNames.map((name) => ({ name, title: index.titleOf(name) })),
  ];
  if (source === 'limesurvey')
    return { ...(await planToolTable(opened, readLimesurveyHeader, survey, request, index)), targets };
  const plan = await planColumns(opened, tableSourceOf(source), survey, request);
  const words = ANSWER_TABLE.wordsOf(plan.columns.map(({ heading }) => heading));
  const usedTargets = new Set(plan.columns.map(({ target }) => target));
  return {
    rows: plan.rows,
    headerRows: plan.headerRows,
    columns: plan.columns.map(({ position, heading, target, questionId, foundBy, confidence, problem }) => {
      const word = target === '' && foundBy === undefined ? words.get(toLooseKey(heading)) : undefined;
      const suggestion = plan.codes === undefined && word !== undefined && !usedTargets.has(word) ? word : '';
      if (suggestion !== '') usedTargets.add(suggestion);
      return {
        column: position + 1,
        heading,
        target,
        questionId,
        foundBy: foundBy ?? '',
        confidence,
        problems: problem === undefined ? [] : [problem],
        suggestion,
      };
    }),
    targets,
    problems: await plan.problems(),
    warnings: plan.warnings,
  };
}

/** Plans a table of a tool with codes as headings. Targets in the option `columns` win over targets that are found. */
async function planToolTable(
  opened: Table,
  readHeader: ReadTableHeader,
  { payload }: AnsweredSurvey,
  { unmask, table: options }: PlanRequest,
  index: HeaderIndex,
): Promise<Omit<TablePlan, 'targets'>> {
  const rows = await findToolRows(opened, readHeader, payload);
  const table = unmask === true ? mapCells(rows.table, unmaskStart) : rows.table;
  const start = await firstRows(table, MAX_TABLE_HEADER);
  const mapped = givenColumns(readNames(start[0]), options.columns, payload, index);
  const header = readHeader(start, payload, mapped.positions);
  const { headings, headerRows } = header;
  const mappedAt = new Map(mapped.header.columns.map((column) => [column.position, column]));
  const columns = headings.map((heading, position) => {
    const given = mappedAt.get(position);
    const target = given === undefined ? (header.targets.get(position) ?? '') : (given.target?.name ?? '');
    return {
      column: position + 1,
      heading,
      target,
      questionId: questionIdOf(target, index),
      foundBy: given === undefined ? (target === '' ? '' : 'name') : 'option',
      confidence: target === '' && given === undefined ? 0 : 1,
      problems: given?.problem === undefined ? [] : [given.problem],
      suggestion: '',
    };
  });
  const checks = [
    () => rejectProblems(mapped.header.columns, start[0]?.number ?? 1),
    () => header.check({ description: table.description, needsQuestion: !mapped.hasAnswers }),
    () => learnToolValues(table, header, mapped, options),
  ];
  const problems: FieldProblem[] = [];
  for (const check of checks) problems.push(...(await collectProblems(check)));
  return { rows, headerRows, columns, problems, warnings: rivalsOf(mapped.header.columns, header) };
}

function questionIdOf(target: string, index: HeaderIndex): string {
  const found = index.findTarget(target);
  if (found !== undefined) return questionOf(found) ?? '';
  // The target can be a column that our exports do not have. Then use the id of the question before the bracket.
  const [id = ''] = target.split('[', 1);
  return index.findQuestions(id)[0] ?? '';
}
