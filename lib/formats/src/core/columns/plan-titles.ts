import { unmaskFormula, unmaskStart } from '@survey/questionnaire/columns/csv';
import { isExportHeader, isResponseColumn } from '@survey/questionnaire/columns/response-columns';
import { learnValues } from '../../tables/column-values.ts';
import { readNames } from '../../tables/header.ts';
import { firstRows, mapCells, rowsAfter, type Table } from '../../tables/open-table.ts';
import type { ColumnTarget, TableOptions } from '../../tables/table-options.ts';
import type { AnsweredSurvey } from '../reader.ts';
import { createHeaderIndex, questionIdOf } from './header-index.ts';
import { toLooseKey } from './headings.ts';
import {
  columnProblems,
  givenTargets,
  hasAnswers,
  kindsOf,
  type MatchedColumn,
  matchResponseHeader,
  type ResponseHeader,
  toLossWarnings,
} from './match-headers.ts';
import { createNumberConverter, NO_NUMBERS } from './numbered.ts';
import {
  type ColumnPlan,
  confidenceOf,
  createHeaderChecks,
  type IndexedSurvey,
  type PlannedColumn,
  type PlanOptions,
  withNoQuestionProblem,
} from './plan.ts';
import { findResponseRows, type ResponseRows } from './rows.ts';
import {
  applyLayout,
  countHeaderRows,
  guessWarnings,
  layOutTable,
  type ToolLayout,
  type ToolTable,
} from './tool-layout.ts';

/** The differences between sources of tables that have titles as headings, such as `How was it?`. */
export interface TitledTable {
  /** Names of targets of the headings that are words of tools, such as `timestamp`, by loose key. */
  targetsOfWords(headings: readonly string[]): ReadonlyMap<string, string>;
  /** Whether a cell that matches no option is read as the text of `other`. */
  readonly readsOther: boolean;
  /** Whether cells of choices have texts, and never ids of options. Tools need no flag: their cells never have ids. */
  readonly hasOnlyTexts?: true;
  /** Layout of the tool's tables; undefined if the source is no tool. */
  readonly tool?: ToolTable;
}

/** Tables with titles of a survey tool. */
export function titledTool(tool: ToolTable): TitledTable {
  return { targetsOfWords: () => new Map(), readsOther: true, tool };
}

/** Maximum header rows of a table with titles. */
const MAX_HEADER_ROWS = 2;

/**
 * Plans the columns of a table with titles as headings, even of one with problems. Throws `INVALID_IMPORT` if there are
 * no rows.
 */
export async function planTitles(
  opened: Table,
  source: TitledTable,
  { payload, definition }: AnsweredSurvey,
  { table: options, unmask }: PlanOptions,
): Promise<ColumnPlan> {
  const survey = { payload, index: createHeaderIndex(payload, definition) };
  const rows = await findTitledRows(opened, source, survey, options.columns);
  const matched = await matchTitles(await unmaskTable(rows.table, source, unmask), source, survey, options.columns);
  const { table, layout, header, row } = matched;
  const { steps, learn } = createTitleLearner(matched, source, survey, options);
  // Only columns that the layout kept as metadata. The tool or the option `columns` names the others as metadata.
  const keptAsUnknown = header.metadata.filter(
    ({ column, target }) => layout?.metadataColumns.get(column.position) === target.name,
  );
  const headerProblems = withNoQuestionProblem(columnProblems(header.columns, row), hasAnswers(header), row, table);
  return {
    rows,
    headerRows: layout?.headerRows ?? 1,
    columns: plannedColumns(header, layout, options.columns),
    header,
    index: survey.index,
    readsOther: source.readsOther,
    codedHeader: undefined,
    keptAsUnknown,
    warnings: layout === undefined ? [] : guessWarnings(layout.guessed, header.names, options.columns),
    lossWarnings: toLossWarnings(header, keptAsUnknown),
    ...createHeaderChecks(headerProblems, steps),
    body: () => rowsAfter(table, 1),
    learn,
  };
}

/** Finds the rows of a table that are responses. */
function findTitledRows(
  opened: Table,
  { targetsOfWords, tool }: TitledTable,
  { payload, index }: IndexedSurvey,
  columns: readonly ColumnTarget[],
): Promise<ResponseRows> {
  const targetOfWord = (heading: string) =>
    [...targetsOfWords([heading]).values()][0] ?? tool?.words.get(toLooseKey(heading).replaceAll(' ', ''));
  const targetOf = (heading: string) =>
    targetOfWord(heading) ?? (isResponseColumn(heading) ? heading : index.find(heading).targets[0]?.name);
  return findResponseRows(opened, {
    targetsOf({ cells }) {
      const headings = cells.map((cell) => unmaskStart(cell.trim()));
      const known = headings.flatMap((heading, position): readonly (readonly [number, string])[] => {
        const target = heading === '' ? undefined : targetOf(heading);
        return target === undefined ? [] : [[position, target]];
      });
      return new Map([...known, ...givenTargets(headings, columns)]);
    },
    payload,
    isAboutResponse: (heading) => targetOfWord(heading) !== undefined,
    ...(tool !== undefined && { headerRows: (start) => countHeaderRows(start, tool) }),
  });
}

/**
 * Removes the apostrophes that mask cells against formulas. If the option `unmask` does not say it, these are masked:
 *
 * - tables of tools that mask cells, such as Typeform;
 * - tables with the header of our exports. Our workbooks are not masked: they have a codebook, unlike a CSV file that a
 *   spreadsheet saved as a workbook.
 */
async function unmaskTable(table: Table, { tool }: TitledTable, unmask: boolean | undefined): Promise<Table> {
  const [first] = await firstRows(table, 1);
  const isExport = first !== undefined && isExportHeader(readNames(first));
  const isMasked = unmask ?? tool?.isMasked ?? (isExport && !(await hasOurCodebook(table)));
  if (!isMasked) return table;
  // Tools mask only the start of a cell. Our exports also mask signs within it.
  const unmaskCell = tool === undefined || isExport ? unmaskFormula : unmaskStart;
  return mapCells(table, (cell) => (cell.includes("'") ? unmaskCell(cell) : cell));
}

/** Whether a workbook has the codebook that our exports have. Sheets of other origin can have the same name. */
async function hasOurCodebook({ others }: Table): Promise<boolean> {
  const codebook = others.find(({ name }) => name === 'Codebook');
  const [header] = codebook === undefined ? [] : await firstRows(codebook, 1);
  return header?.cells[0] === 'column';
}

interface MatchedTitles {
  /** The table with the header as a single row. */
  readonly table: Table;
  readonly layout: ToolLayout | undefined;
  readonly header: ResponseHeader;
  /** Number of the first header row in the file. */
  readonly row: number;
}

/** Lays out the columns of a tool, and finds the targets of the header. */
async function matchTitles(
  unmasked: Table,
  { targetsOfWords, tool }: TitledTable,
  survey: IndexedSurvey,
  columns: readonly ColumnTarget[],
): Promise<MatchedTitles> {
  const start = await firstRows(unmasked, MAX_HEADER_ROWS);
  const [first] = start;
  const row = first?.number ?? 1;
  if (tool === undefined) {
    const header = matchResponseHeader(first, survey.index, { columns, targetsOfWords });
    return { table: unmasked, layout: undefined, header, row };
  }
  const layout = layOutTable(start, survey, tool, columns);
  const header = matchResponseHeader(layout.header, survey.index, { columns: layout.columns, targetsOfWords });
  return { table: applyLayout(unmasked, layout), layout, header, row };
}

/** The steps that look at the cells of a table, and the conversion that follows from them. */
function createTitleLearner(
  { table, header }: MatchedTitles,
  { tool, hasOnlyTexts }: TitledTable,
  { payload, index }: IndexedSurvey,
  options: TableOptions,
): Pick<ColumnPlan, 'learn'> & { readonly steps: readonly (() => unknown)[] } {
  const learnColumns = () =>
    learnValues(table, {
      kinds: kindsOf(header, payload),
      names: header.names,
      headerRows: 1,
      // Exports have ISO dates and decimal points.
      options: header.isExport ? { ...options, decimal: options.decimal ?? '.', allowsAnyYear: true } : options,
    });
  const learnNumbers = async () =>
    tool?.canNumberOptions === true ? await createNumberConverter(table, header, payload, index) : NO_NUMBERS;
  return {
    steps: [learnColumns, learnNumbers],
    async learn() {
      const values = await learnColumns();
      const toOptions = await learnNumbers();
      return {
        idUse: hasOnlyTexts !== true && tool === undefined ? 'also' : 'never',
        convert(row) {
          const converted = values.convert(row);
          return { ...converted, cells: toOptions(converted.cells) };
        },
      };
    },
  };
}

function plannedColumns(
  { columns, names }: ResponseHeader,
  layout: ToolLayout | undefined,
  options: readonly ColumnTarget[],
): readonly PlannedColumn[] {
  const given = givenTargets(names, options);
  // The header gets all targets of a layout like those of the option `columns`, so `option` found them all. That is right
  // only for the columns that the option names.
  const foundByOf = ({ position, target, foundBy }: MatchedColumn) => {
    if (layout === undefined || foundBy !== 'option' || given.has(position)) return foundBy;
    if (target === undefined) return undefined;
    return questionIdOf(target) === undefined ? 'word' : 'title';
  };
  return columns.slice(0, layout?.width).map((column) => {
    const { position, heading, target, problem } = column;
    const foundBy = foundByOf(column);
    return {
      position,
      heading,
      target: target?.name ?? '',
      questionId: (target && questionIdOf(target)) ?? '',
      foundBy,
      confidence: confidenceOf(foundBy, problem, layout?.guessed.has(position)),
      problem,
    };
  });
}
