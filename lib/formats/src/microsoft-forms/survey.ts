import { readTableSurvey } from '../answer-table/survey.ts';
import { givenPositions } from '../headers/match-headers.ts';
import { createMetadataTargets, findOwnColumns, toColumnTarget, warnOfGuesses } from '../headers/tool-layout.ts';
import type { SurveyFileReader, Warn } from '../shared/reader.ts';
import { readNames } from '../tables/header.ts';
import { openTable, type Table } from '../tables/open-table.ts';
import type { ColumnTarget, TableOptions } from '../tables/table-options.ts';
import { MICROSOFT_FORMS } from './responses.ts';

/**
 * Makes a survey of a workbook of responses, because Microsoft Forms exports no survey. The responses are in the same
 * file.
 */
export const readMicrosoftFormsSurvey: SurveyFileReader = async (file, options) => {
  // The reader of tables warns about the table.
  const table = await openTable(file, options.table, () => {});
  return readTableSurvey(file, { ...options, table: await withOwnColumns(table, options.table, options.warn) });
};

/**
 * Adds the targets of columns that are no questions to the option `columns`, which can have others. Warns of each
 * target that was chosen only by position, unless `columns` has the column.
 */
export async function withOwnColumns(table: Table, options: TableOptions, warn: Warn): Promise<TableOptions> {
  for await (const row of table.rows()) {
    const names = readNames(row);
    const own = findOwnColumns(names, MICROSOFT_FORMS);
    warnOfGuesses(own.guessed, names, options.columns, warn);
    const given = givenPositions(names, options.columns);
    const ownColumns = [...own.targets].flatMap(([position, target]) =>
      given.has(position) ? [] : [toColumnTarget(position, target)],
    );
    const columns = [...ownColumns, ...quizColumns(names), ...options.columns];
    return { ...options, columns };
  }
  return options;
}

function quizColumns(names: readonly string[]): readonly ColumnTarget[] {
  const toTarget = createMetadataTargets([]);
  return names.flatMap((heading, position) =>
    MICROSOFT_FORMS.metadata?.test(heading) === true ? [toColumnTarget(position, toTarget(heading))] : [],
  );
}
