import { findSurveyRows, readTableSurvey } from '../answer-table/survey.ts';
import { givenTargets } from '../core/columns/match-headers.ts';
import {
  createMetadataTargets,
  findResponseColumns,
  guessWarnings,
  toColumnTarget,
} from '../core/columns/tool-layout.ts';
import type { SurveyFileReader, Warn } from '../core/reader.ts';
import { readNames } from '../tables/header.ts';
import { openTable, type Table } from '../tables/open-table.ts';
import type { ColumnTarget, TableOptions } from '../tables/table-options.ts';
import { MICROSOFT_FORMS } from './responses.ts';

/**
 * Makes a survey of a workbook of responses, because Microsoft Forms exports no survey. The responses are in the same
 * file.
 */
export const readMicrosoftFormsSurvey: SurveyFileReader = async (file, options) => {
  // `readTableSurvey` opens the table again, and warns about it then.
  const { table } = await findSurveyRows(await openTable(file, options.table, () => {}), options.table.columns);
  return readTableSurvey(file, { ...options, table: await withResponseColumns(table, options.table, options.warn) });
};

/**
 * Adds to the option `columns` the targets of columns without answers, such as the time of a response. Columns that the
 * option names are not changed. Warns of each added target that was chosen only by position.
 */
export async function withResponseColumns(table: Table, options: TableOptions, warn: Warn): Promise<TableOptions> {
  for await (const row of table.rows()) {
    const names = readNames(row);
    const responseColumns = findResponseColumns(names, MICROSOFT_FORMS);
    for (const warning of guessWarnings(responseColumns.guessed, names, options.columns)) warn(warning);
    const given = givenTargets(names, options.columns);
    const responseTargets = [...responseColumns.targets].flatMap(([position, target]) =>
      given.has(position) ? [] : [toColumnTarget(position, target)],
    );
    const columns = [...responseTargets, ...quizColumns(names), ...options.columns];
    return { ...options, columns };
  }
  return options;
}

/** Columns about a quiz, such as the points of a question. They become metadata. */
function quizColumns(names: readonly string[]): readonly ColumnTarget[] {
  const toTarget = createMetadataTargets([]);
  return names.flatMap((heading, position) =>
    MICROSOFT_FORMS.metadata?.test(heading) === true ? [toColumnTarget(position, toTarget(heading))] : [],
  );
}
