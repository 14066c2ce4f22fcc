import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { toNfc } from '@survey/questionnaire/answers/plain-text';
import type { CellKind } from '@survey/questionnaire/columns/cell-format';
import type { Column } from '@survey/questionnaire/columns/columns';
import {
  RESPONSE_COLUMNS,
  type ResponseColumn,
  responseColumnNames,
} from '@survey/questionnaire/columns/response-columns';
import type { CompiledDefinition } from '@survey/questionnaire/compiled-definition';
import type { Labels } from '@survey/questionnaire/labels';
import { metadataCells, metadataColumnNames } from '@survey/questionnaire/metadata/metadata-columns';
import type { MetadataField } from '@survey/questionnaire/metadata/metadata-fields';
import type { ResponseData } from '@survey/questionnaire/validate';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Response } from '../responses/response.ts';
import { type CompiledSurvey, labelsOf } from '../surveys/definition.ts';

/** Labels of questions and options. `ids`: the file can be imported again. `texts`: the texts that respondents read. */
type TableLabels = 'ids' | 'texts';

/** The kind of a cell's value. Undefined for texts and ids. Timestamps are ISO 8601, in UTC. */
export type ValueKind = CellKind | 'timestamp' | undefined;

/** Converts a value to a cell of a format. The text is empty if there is no value. */
type ToCell<Cell> = (text: string, kind: ValueKind) => Cell;

export interface ResponseTable {
  readonly header: readonly string[];
  /** Number of written values that do not fit the type of their metadata field, by field. */
  readonly unfitValues: ReadonlyMap<string, number>;
  /** Returns the rows of some responses. Regularly yields to the event loop. */
  rowsOf<Cell>(responses: readonly Response[], toCell: ToCell<Cell>): AsyncGenerator<readonly Cell[]>;
}

export interface TableOptions {
  readonly labels: TableLabels;
  /** Language of the texts. Default: the language of the survey. */
  readonly displayLanguage?: string | undefined;
  /**
   * The text in cells of questions that the respondent never saw, because logic hid them or the version lacks them. A
   * numeric text makes a numeric cell. Default: empty.
   */
  readonly notShown?: string | undefined;
  /** The versions whose columns the table has, latest first. */
  readonly versions: readonly number[];
  readonly findVersion: (version: number) => Promise<CompiledSurvey>;
  readonly metadataFields: readonly MetadataField[];
  /** Maximum number of answer columns. Default 200,000. */
  readonly maxColumns?: number | undefined;
}

/** Twice the maximum of one version. */
const MAX_COLUMNS = 200_000;
/** Number of cells between two yields to the event loop: a few milliseconds of work. */
const CELLS_PER_YIELD = 10_000;

interface OwnColumn {
  readonly read: (response: Response) => string | undefined;
  readonly kind?: ValueKind;
}

/** The columns about the response itself. */
const OWN: Readonly<Record<ResponseColumn, OwnColumn>> = {
  id: { read: ({ id }) => id },
  submitted_at: { read: ({ completedAt }) => completedAt?.toISOString(), kind: 'timestamp' },
  status: { read: ({ status }) => status },
  created_at: { read: ({ createdAt }) => createdAt.toISOString(), kind: 'timestamp' },
  started_at: { read: ({ startedAt }) => startedAt?.toISOString(), kind: 'timestamp' },
  survey_version: { read: ({ surveyVersion }) => String(surveyVersion), kind: 'number' },
  language: { read: ({ language }) => language },
  link_id: { read: ({ linkId }) => linkId },
  external_id: { read: ({ externalId }) => externalId },
  invitation_id: { read: ({ invitationId }) => invitationId },
};
const OWN_COLUMNS = RESPONSE_COLUMNS.map((column) => OWN[column]);

/** The columns of metadata follow those that only earlier versions have. Throws `INVALID_REQUEST` if there are too many columns. */
export async function createResponseTable(options: TableOptions): Promise<ResponseTable> {
  const { versions, findVersion, metadataFields } = options;
  const { positions, header } = await uniteColumns(options);
  const unfitValues = new Map<string, number>();

  function metadataOf(response: Response) {
    const cells = metadataCells(metadataFields, response.metadata);
    for (const [index, { name }] of metadataFields.entries())
      if (cells[index]?.isUnfit) unfitValues.set(name, (unfitValues.get(name) ?? 0) + 1);
    return cells;
  }

  return {
    header: [
      ...responseColumnNames(header.names),
      ...header.titles,
      ...metadataColumnNames(metadataFields, header.names),
    ],
    unfitValues,
    async *rowsOf(responses, toCell) {
      // Writers exist for one chunk only, to save memory.
      const writers = new Map<number, ReturnType<typeof createRowWriter<ReturnType<typeof toCell>>>>();
      for (const version of new Set(responses.map(({ surveyVersion }) => surveyVersion))) {
        // Skip a version that was first answered after the start of the export: the table lacks its columns.
        if (versions.includes(version))
          writers.set(version, createRowWriter(await findVersion(version), { ...options, positions, toCell }));
      }
      let cells = 0;
      for (const response of responses) {
        // Stored answers are valid for their version.
        const answers = writers.get(response.surveyVersion)?.(response.data as ResponseData);
        if (answers !== undefined)
          yield [
            ...OWN_COLUMNS.map(({ read, kind }) => toCell(read(response) ?? '', kind)),
            ...answers,
            ...metadataOf(response).map(({ text, kind }) => toCell(text, kind)),
          ];
        cells += positions.size;
        if (cells < CELLS_PER_YIELD) continue;
        await yieldToEventLoop();
        cells = 0;
      }
    },
  };
}

/** Merges the columns of all versions. Returns the positions by column key, and the names and titles of the columns. */
async function uniteColumns({
  labels,
  displayLanguage,
  versions,
  findVersion,
  metadataFields,
  maxColumns = MAX_COLUMNS,
}: TableOptions) {
  const positions = new Map<string, number>();
  const names: string[] = [];
  const titled: TitledColumn[] = [];
  for (const version of versions) {
    const definition = await findVersion(version);
    const texts = labels === 'ids' ? undefined : labelsOf(definition, displayLanguage);
    for (const column of definition.compiled().columns) {
      const key = keyOf(column);
      if (positions.has(key)) continue;
      positions.set(key, positions.size);
      names.push(column.name);
      if (texts !== undefined) titled.push(toTitled(column, texts));
    }
    if (positions.size > maxColumns) throw new AppError('INVALID_REQUEST', { errors: [TOO_MANY_COLUMNS] });
  }
  return {
    positions,
    header: { names: new Set(names), titles: labels === 'ids' ? names : uniqueHeadings(titled, metadataFields) },
  };
}

/** A column with the texts that respondents read. */
interface TitledColumn {
  readonly name: string;
  readonly questionId: string;
  readonly title: string;
  /** `Title`, `Title [option]` or `Title [row] [column]`. */
  readonly heading: string;
}

function toTitled({ name, question_id: questionId, items }: Column, labels: Labels): TitledColumn {
  const title = labels.question(questionId);
  const parts = items.map((item) => `[${labels.item(questionId, item)}]`);
  return { name, questionId, title, heading: [title, ...parts].join(' ') };
}

/**
 * Makes headings unique, because imports reject duplicates and many readers keep only one of two columns. An ambiguous
 * heading gets the name of its column, as in `Name (q1)`. Imports read a column with the bare title of a question as
 * its whole answer. So the title is reserved if all columns of the question contain parts of the answer.
 */
function uniqueHeadings(columns: readonly TitledColumn[], fields: TableOptions['metadataFields']): readonly string[] {
  const whole = new Set(columns.filter(({ heading, title }) => heading === title).map(({ questionId }) => questionId));
  const reservedTitles = new Map(columns.map(({ questionId, title }) => [questionId, title]));
  for (const id of whole) reservedTitles.delete(id);
  const metadata = metadataColumnNames(fields, new Set());
  const own = [
    ...[...RESPONSE_COLUMNS, ...responseColumnNames(new Set(RESPONSE_COLUMNS))],
    ...[...metadata, ...metadataColumnNames(fields, new Set(metadata))],
  ];
  const usesByHeading = new Map<string, number>();
  for (const text of [...own, ...columns.map(({ heading }) => heading), ...reservedTitles.values()]) {
    const key = toHeadingKey(text);
    usesByHeading.set(key, (usesByHeading.get(key) ?? 0) + 1);
  }
  const used = new Set(usesByHeading.keys());
  return columns.map(({ heading, name }) => {
    if (usesByHeading.get(toHeadingKey(heading)) === 1) return heading;
    const base = `${heading} (${name})`;
    let unique = base;
    for (let number = 2; used.has(toHeadingKey(unique)); number += 1) unique = `${base} (${number})`;
    used.add(toHeadingKey(unique));
    return unique;
  });
}

/** Imports regard headings with the same key as equal. */
function toHeadingKey(heading: string): string {
  return toNfc(heading).replaceAll(/\s+/g, ' ').trim();
}

const TOO_MANY_COLUMNS = {
  path: '/format',
  code: 'TOO_MANY_COLUMNS',
  detail: 'the versions have too many options for one table of this format: export as ndjson instead',
};

interface RowOptions<Cell> extends TableOptions {
  /** Position of each answer column by its key. */
  readonly positions: ReadonlyMap<string, number>;
  readonly toCell: ToCell<Cell>;
}

/** Returns a function that makes the answer cells of a response to one version. */
function createRowWriter<Cell>(definition: CompiledSurvey, options: RowOptions<Cell>) {
  const { labels, displayLanguage, notShown = '', positions, toCell } = options;
  const compiled: CompiledDefinition = definition.compiled();
  const sources = new Array<number | undefined>(positions.size).fill(undefined);
  for (const [index, column] of compiled.columns.entries()) {
    const position = positions.get(keyOf(column));
    if (position !== undefined) sources[position] = index;
  }
  const { columns } = compiled;
  const toTexts = labels === 'ids' ? undefined : textsIn(labelsOf(definition, displayLanguage), columns);
  const neverShown = toCell(notShown, isNumber(notShown) ? 'number' : undefined);
  const hiddenIn = notShown === '' ? () => NONE : hiddenQuestionsOf(compiled);
  return (data: ResponseData): readonly Cell[] => {
    const cells = compiled.cellsFromAnswers(data);
    const shown = toTexts?.(cells) ?? cells;
    const hidden = hiddenIn(data);
    return sources.map((index) => {
      const column = index === undefined ? undefined : columns[index];
      if (index === undefined || column === undefined || hidden.has(column.question_id)) return neverShown;
      return toCell(shown[index] ?? '', column.kind);
    });
  };
}

/** Whether a text is a number in its usual notation, such as `7`, but not `007`. */
export function isNumber(text: string): boolean {
  return Number.isFinite(Number(text)) && String(Number(text)) === text;
}

const NONE: ReadonlySet<string> = new Set();

/** The questions that logic hides from the respondent, except those with a stored answer. */
function hiddenQuestionsOf({ questions, applyTo }: CompiledDefinition) {
  return (data: ResponseData): ReadonlySet<string> => {
    const { visible } = applyTo(data);
    if (visible.length === questions.length) return NONE;
    const hidden = new Set(questions.map(({ id }) => id));
    for (const id of visible) hidden.delete(id);
    for (const id of Object.keys(data)) hidden.delete(id);
    return hidden;
  };
}

/** A unique key of a column. Names are not unique: `q[a][b]` can also be the column of an option `a][b`. */
export function keyOf({ name, question_id, items }: Column): string {
  return JSON.stringify([name, question_id, ...items.map(({ id }) => id)]);
}

/** Replaces option ids in cells by their texts. */
function textsIn(labels: Labels, columns: readonly Column[]) {
  return (cells: readonly string[]) =>
    cells.map((cell, index) => {
      const { holds, question_id = '' } = columns[index] ?? {};
      return holds === undefined || cell === '' ? cell : labels.item(question_id, { list: holds, id: cell });
    });
}
