import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Column } from '@survey/questionnaire/columns/columns';
import {
  RESPONSE_COLUMNS,
  type ResponseColumn,
  responseColumnNames,
} from '@survey/questionnaire/columns/response-columns';
import type { CompiledDefinition } from '@survey/questionnaire/compiled-definition';
import { type Labels, readLabels } from '@survey/questionnaire/labels';
import type { ResponseData } from '@survey/questionnaire/validate';
import { BYTE_ORDER_MARK, type Cell, toCsvLine } from '@survey/runtime/csv/csv-text';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Definition } from '../definitions/definition.ts';
import type { Response } from '../responses/response.ts';
import type { ExportFormat } from './export-format.ts';

/** Labels of questions and options: ids, which can be imported again, or the texts that respondents read. */
export type CsvLabels = 'ids' | 'texts';

interface Options {
  readonly labels: CsvLabels;
  /** The answered versions, latest first. */
  readonly versions: readonly number[];
  readonly findVersion: (version: number) => Promise<Definition>;
  /** Maximum number of answer columns. Default 200,000. */
  readonly maxColumns?: number;
}

/** Twice the maximum of one version. */
const MAX_COLUMNS = 200_000;
/** Cells written between two yields to the event loop: a few milliseconds of work. */
const CELLS_PER_YIELD = 10_000;

/** The cells of the columns about the response itself. */
const OWN_CELLS: Readonly<Record<ResponseColumn, (response: Response) => string | undefined>> = {
  id: ({ id }) => id,
  submitted_at: ({ completedAt }) => completedAt?.toISOString(),
  status: ({ status }) => status,
  created_at: ({ createdAt }) => createdAt.toISOString(),
  started_at: ({ startedAt }) => startedAt?.toISOString(),
  survey_version: ({ surveyVersion }) => String(surveyVersion),
  language: ({ language }) => language,
  link_id: ({ linkId }) => linkId,
  external_id: ({ externalId }) => externalId,
};
const OWN_READERS = RESPONSE_COLUMNS.map((column) => OWN_CELLS[column]);

/**
 * Writes a table of responses to several versions: the columns of the latest version, then those that only earlier ones
 * have. Throws `INVALID_REQUEST` if there are too many columns.
 */
export async function createCsvFormat(options: Options): Promise<ExportFormat<Response>> {
  const { labels, versions, findVersion } = options;
  const { positions, header } = await uniteColumns(options);

  return {
    contentType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    begin: () => BYTE_ORDER_MARK + toCsvLine([...responseColumnNames(header.names), ...header.titles]),
    async write(responses) {
      // A chunk contains few versions. Their writers are not kept, to save memory.
      const writers = new Map<number, (data: ResponseData) => readonly Cell[]>();
      for (const version of new Set(responses.map(({ surveyVersion }) => surveyVersion))) {
        // Skip versions without columns: they were first answered after the export started.
        if (versions.includes(version))
          writers.set(version, createRowWriter(await findVersion(version), labels, positions));
      }
      let text = '';
      let cells = 0;
      for (const response of responses) {
        // Stored answers were validated by the rules of the version.
        const answers = writers.get(response.surveyVersion)?.(response.data as ResponseData);
        if (answers !== undefined) text += toCsvLine([...OWN_READERS.map((read) => read(response) ?? ''), ...answers]);
        cells += positions.size;
        if (cells < CELLS_PER_YIELD) continue;
        await yieldToEventLoop();
        cells = 0;
      }
      return text;
    },
    end: () => '',
  };
}

/** Merges the columns of all versions. Returns the position of each column by its key, and the two header rows. */
async function uniteColumns({ labels, versions, findVersion, maxColumns = MAX_COLUMNS }: Options) {
  const positions = new Map<string, number>();
  const header = { names: new Set<string>(), titles: [] as string[] };
  for (const version of versions) {
    const definition = await findVersion(version);
    const toTitle = labels === 'ids' ? ({ name }: Column) => name : titleIn(labelsOf(definition));
    for (const column of definition.compiled().columns) {
      const key = keyOf(column);
      if (positions.has(key)) continue;
      positions.set(key, positions.size);
      header.names.add(column.name);
      header.titles.push(toTitle(column));
    }
    if (positions.size > maxColumns) throw new AppError('INVALID_REQUEST', { errors: [TOO_MANY_COLUMNS] });
  }
  return { positions, header };
}

const TOO_MANY_COLUMNS = {
  path: '/format',
  code: 'TOO_MANY_COLUMNS',
  detail: 'the answered versions have too many options for one table: export as ndjson instead',
};

/** Returns a function that makes the cells of a response to one version, in the order of all columns. */
function createRowWriter(definition: Definition, labels: CsvLabels, positions: ReadonlyMap<string, number>) {
  const compiled: CompiledDefinition = definition.compiled();
  const sources = new Array<number | undefined>(positions.size).fill(undefined);
  for (const [index, column] of compiled.columns.entries()) {
    const position = positions.get(keyOf(column));
    if (position !== undefined) sources[position] = index;
  }
  const areNumbers = compiled.columns.map(({ kind }) => kind === 'number');
  const toTexts = labels === 'ids' ? undefined : textsIn(labelsOf(definition), compiled.columns);
  return (data: ResponseData): readonly Cell[] => {
    const cells = compiled.cellsFromAnswers(data);
    const shown = toTexts?.(cells) ?? cells;
    return sources.map((index) => {
      if (index === undefined) return '';
      const cell = shown[index] ?? '';
      return areNumbers[index] && cell !== '' ? Number(cell) : cell;
    });
  };
}

/** A unique key. Names are not unique: `q[a][b]` can also be the column of an option `a][b`. */
function keyOf({ name, question_id, items }: Column): string {
  return JSON.stringify([name, question_id, ...items.map(({ id }) => id)]);
}

function labelsOf({ schemaVersion, version, definition }: Definition): Labels {
  return readLabels({ schema_version: schemaVersion, version, survey: definition });
}

/** `Title`, `Title [option]`, `Title [row] [column]`. */
function titleIn(labels: Labels) {
  return ({ question_id, items }: Column) =>
    [labels.question(question_id), ...items.map((item) => `[${labels.item(question_id, item)}]`)].join(' ');
}

/** Replaces option ids in cells by their texts. */
function textsIn(labels: Labels, columns: readonly Column[]) {
  return (cells: readonly string[]) =>
    cells.map((cell, index) => {
      const { holds, question_id = '' } = columns[index] ?? {};
      return holds === undefined || cell === '' ? cell : labels.item(question_id, { list: holds, id: cell });
    });
}
