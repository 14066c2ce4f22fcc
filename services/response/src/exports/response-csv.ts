import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Column } from '@survey/questionnaire/columns/columns';
import {
  RESPONSE_COLUMNS,
  type ResponseColumn,
  responseColumnNames,
} from '@survey/questionnaire/columns/response-columns';
import type { CompiledDefinition } from '@survey/questionnaire/compile';
import { type Labels, readLabels } from '@survey/questionnaire/labels';
import type { ResponseData } from '@survey/questionnaire/validate';
import { BYTE_ORDER_MARK, type Cell, toCsvLine } from '@survey/runtime/csv/csv-text';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Definition } from '../definitions/definition.ts';
import type { Response } from '../responses/response.ts';
import type { ExportFormat } from './export-format.ts';

/** What names questions and options: their ids, which can be imported again, or what respondents read. */
export type CsvLabels = 'ids' | 'texts';

interface Options {
  readonly labels: CsvLabels;
  /** The versions that responses answer, latest first. */
  readonly versions: readonly number[];
  readonly findVersion: (version: number) => Promise<Definition>;
  /** How many columns for answers there may be, 200,000 unless told. */
  readonly maxColumns?: number;
}

/** Twice what one version may have. */
const MAX_COLUMNS = 200_000;
/** Written before other calls have their turn: some milliseconds. */
const CELLS_AT_A_TIME = 10_000;

/** What stands in the columns about the response itself. */
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
 * A table of responses to any of the versions: the columns of the latest, and those that only earlier ones have. Throws
 * `INVALID_REQUEST` when these are too many.
 */
export async function createCsvFormat(options: Options): Promise<ExportFormat<Response>> {
  const { labels, versions, findVersion } = options;
  const { places, header } = await uniteColumns(options);

  return {
    contentType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    begin: () => BYTE_ORDER_MARK + toCsvLine([...responseColumnNames(header.names), ...header.titles]),
    async write(responses) {
      // Few versions are in one chunk: what is made for them is kept no longer.
      const writers = new Map<number, (data: ResponseData) => readonly Cell[]>();
      for (const version of new Set(responses.map(({ surveyVersion }) => surveyVersion))) {
        // One that is not there came after the columns were told, and so after the export began.
        if (versions.includes(version))
          writers.set(version, createRowWriter(await findVersion(version), labels, places));
      }
      let text = '';
      let cells = 0;
      for (const response of responses) {
        // Stored answers are what the version's own rules gave.
        const answers = writers.get(response.surveyVersion)?.(response.data as ResponseData);
        if (answers !== undefined) text += toCsvLine([...OWN_READERS.map((read) => read(response) ?? ''), ...answers]);
        cells += places.size;
        if (cells < CELLS_AT_A_TIME) continue;
        await nextTurn();
        cells = 0;
      }
      return text;
    },
    end: () => '',
  };
}

/** Where each column stands, and what is above it. */
async function uniteColumns({ labels, versions, findVersion, maxColumns = MAX_COLUMNS }: Options) {
  const places = new Map<string, number>();
  const header = { names: new Set<string>(), titles: [] as string[] };
  for (const version of versions) {
    const definition = await findVersion(version);
    const toTitle = labels === 'ids' ? ({ name }: Column) => name : titleIn(labelsOf(definition));
    for (const column of definition.compiled().columns) {
      const key = keyOf(column);
      if (places.has(key)) continue;
      places.set(key, places.size);
      header.names.add(column.name);
      header.titles.push(toTitle(column));
    }
    if (places.size > maxColumns) throw new AppError('INVALID_REQUEST', { errors: [TOO_MANY_COLUMNS] });
  }
  return { places, header };
}

const TOO_MANY_COLUMNS = {
  path: '/format',
  code: 'TOO_MANY_COLUMNS',
  detail: 'the versions that were answered have too many options for the columns of one table; NDJSON has no columns',
};

/** The cells of a response to one version, in the places of all columns. */
function createRowWriter(definition: Definition, labels: CsvLabels, places: ReadonlyMap<string, number>) {
  const compiled: CompiledDefinition = definition.compiled();
  const sources = new Array<number | undefined>(places.size).fill(undefined);
  for (const [index, column] of compiled.columns.entries()) {
    const place = places.get(keyOf(column));
    if (place !== undefined) sources[place] = index;
  }
  const areNumbers = compiled.columns.map(({ isNumber }) => isNumber === true);
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

/** Columns of different questions, or items, can have one name: `q[a][b]` may be of the option `a][b`. */
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

/** Texts of options in place of their ids. */
function textsIn(labels: Labels, columns: readonly Column[]) {
  return (cells: readonly string[]) =>
    cells.map((cell, index) => {
      const { holds, question_id = '' } = columns[index] ?? {};
      return holds === undefined || cell === '' ? cell : labels.item(question_id, { list: holds, id: cell });
    });
}
