import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { COLUMN_TYPES } from '../answer-table/guess-question.ts';
import { findSurveyRows, readSurveyTable, surveyTableProblems } from '../answer-table/survey.ts';
import { SETTABLE } from '../core/columns/header-index.ts';
import { givenPositions } from '../core/columns/match-headers.ts';
import { withResponseColumns } from '../microsoft-forms/survey.ts';
import { readNames } from '../tables/header.ts';
import type { Table } from '../tables/open-table.ts';
import type { TableOptions } from '../tables/table-options.ts';
import type { TablePlan } from './file-plan.ts';
import type { Guess } from './guess-file.ts';

/** Plans the questions of a new survey from a table of answers. */
export async function planSurveyTable(opened: Table, { source }: Guess, options: TableOptions): Promise<TablePlan> {
  const rows = await findSurveyRows(opened);
  const { table } = rows;
  const warnings: FieldProblem[] = [];
  const isTool = source === 'microsoft_forms';
  const all = isTool ? await withResponseColumns(table, options, (warning) => warnings.push(warning)) : options;
  const read = await readSurveyTable(table, all);
  const { header, columns } = read;
  const given = givenPositions(header === undefined ? [] : readNames(header), options.columns);
  const foundByOf = ({ foundBy, position }: (typeof columns)[number]) =>
    foundBy === 'option' && !given.has(position) && isTool ? 'word' : foundBy;
  return {
    rows,
    headerRows: 1,
    columns: columns.map((column) => {
      const { question, position, heading, target, foundBy, confidence, problem } = column;
      return {
        column: position + 1,
        heading,
        target: question === undefined ? (target?.name ?? '') : String(question['type']),
        questionId: question === undefined ? '' : String(question['id']),
        foundBy: question === undefined ? (foundByOf(column) ?? '') : (foundBy ?? 'values'),
        confidence,
        problems: problem === undefined ? [] : [problem],
        suggestion: '',
      };
    }),
    targets: [...COLUMN_TYPES, ...SETTABLE].map((name) => ({ name, title: '' })),
    problems: await surveyTableProblems(table, read, all),
    warnings,
  };
}
