import { readTableSurvey } from '../answer-table/survey.ts';
import { ownColumns } from '../headers/tool-layout.ts';
import type { SurveyFileReader } from '../shared/reader.ts';
import { readNames } from '../tables/header.ts';
import { openTable, type Table } from '../tables/open-table.ts';
import type { ColumnTarget, TableOptions } from '../tables/table-options.ts';
import { MICROSOFT_FORMS } from './responses.ts';

const MAX_MEMBER = 80;

/**
 * Makes a survey of a workbook of responses, because Microsoft Forms exports no survey. The responses are in the same
 * file.
 */
export const readMicrosoftFormsSurvey: SurveyFileReader = async (file, options) => {
  // The reader of tables warns about the table.
  const table = await openTable(file, options.table, () => {});
  return readTableSurvey(file, { ...options, table: await withOwnColumns(table, options.table) });
};

/** Adds the targets of columns that are no questions to the option `columns`, which can have others. */
export async function withOwnColumns(table: Table, options: TableOptions): Promise<TableOptions> {
  for await (const row of table.rows()) {
    const names = readNames(row);
    const columns = [...ownColumns(names, MICROSOFT_FORMS), ...names.flatMap(quizColumn), ...options.columns];
    return { ...options, columns };
  }
  return options;
}

function quizColumn(heading: string, position: number): readonly ColumnTarget[] {
  if (MICROSOFT_FORMS.metadata?.test(heading) !== true) return [];
  return [{ heading: `#${position + 1}`, target: `metadata.${heading.slice(0, MAX_MEMBER).toWellFormed()}` }];
}
