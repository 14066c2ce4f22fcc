import type { Column } from '@survey/questionnaire/columns/columns';
import { BYTE_ORDER_MARK, toCsvLine } from '@survey/questionnaire/columns/csv';
import type { CountedQuestion } from '@survey/questionnaire/compiled-definition';
import type { Labels } from '@survey/questionnaire/labels';
import { metadataColumnNames } from '@survey/questionnaire/metadata/metadata-columns';
import type { MetadataField } from '@survey/questionnaire/metadata/metadata-fields';
import { AppError } from '@survey/runtime/errors/app-error';
import { labelsOf } from '../surveys/definition.ts';
import type { CsvOptions } from './export-service.ts';
import { keyOf, type TableOptions } from './response-table.ts';

/** Describes an answer column, an option that cells can contain, a metadata field, or the conditions of an export. */
export interface CodebookEntry {
  readonly column: string;
  /** Undefined for metadata fields and conditions. */
  readonly questionId: string | undefined;
  readonly title: string;
  readonly type: string;
  /** The row, for questions with rows. */
  readonly row: Item | undefined;
  /** The option, or the column of a matrix. Undefined for columns with other values. */
  readonly option: Item | undefined;
  readonly required: boolean;
  /** Number of the page, from 1. Undefined for metadata fields and conditions. */
  readonly page: number | undefined;
  /** The versions that have the column and the option, in ascending order. Fields have no versions. */
  readonly versions: readonly number[];
}

interface Item {
  readonly id: string;
  readonly text: string;
}

type Options = Pick<TableOptions, 'displayLanguage' | 'versions' | 'findVersion' | 'metadataFields'> & {
  /** Maximum number of entries. Default 200,000. */
  readonly maxEntries?: number;
};

const MAX_ENTRIES = 200_000;

/**
 * Describes the answer columns of several versions and the metadata fields, in the order of an export. Texts come from the latest version that
 * has the column or option. Throws `INVALID_REQUEST` if there are too many entries.
 */
export async function readCodebook(options: Options): Promise<readonly CodebookEntry[]> {
  const { displayLanguage, versions, findVersion, metadataFields, maxEntries = MAX_ENTRIES } = options;
  /** The entries of each column, by the id of the option. */
  const columns = new Map<string, Map<string, CodebookEntry>>();
  let count = 0;
  for (const version of versions) {
    const definition = await findVersion(version);
    const { questions, columns: found } = definition.compiled();
    const byId = new Map(questions.map((question) => [question.id, question]));
    const labels = labelsOf(definition, displayLanguage);
    // The latest version comes first.
    const prepend = createVersionPrepender(version);
    for (const column of found) {
      const question = byId.get(column.question_id);
      if (question === undefined) continue;
      const key = keyOf(column);
      const entries = columns.get(key) ?? new Map<string, CodebookEntry>();
      columns.set(key, entries);
      for (const option of optionsOf(column, question)) {
        const known = entries.get(option ?? '');
        if (known === undefined) count += 1;
        const entry = known ?? toEntry(column, question, option, labels);
        entries.set(option ?? '', { ...entry, versions: prepend(entry.versions) });
      }
      if (count > maxEntries) throw new AppError('INVALID_REQUEST', { errors: [TOO_MANY_ENTRIES] });
    }
  }
  const entries = [...columns.values()].flatMap((ofColumn) => [...ofColumn.values()]);
  const names = metadataColumnNames(metadataFields, new Set(entries.map(({ column }) => column)));
  return [...entries, ...metadataFields.map((field, index) => toFieldEntry(field, names[index] ?? ''))];
}

function toFieldEntry({ name: title, type }: MetadataField, column: string): CodebookEntry {
  const nothing = { questionId: undefined, row: undefined, option: undefined, page: undefined };
  return { ...nothing, column, title, type, required: false, versions: NO_VERSIONS };
}

const TOO_MANY_ENTRIES = {
  path: '/format',
  code: 'TOO_MANY_COLUMNS',
  detail: 'the versions have too many options for a codebook: read their definitions instead',
};

/** Returns a function that prepends a version to a list. Equal lists stay one object, to save memory. */
function createVersionPrepender(version: number) {
  const lists = new Map<readonly number[], readonly number[]>();
  return (later: readonly number[]): readonly number[] => {
    const list = lists.get(later) ?? [version, ...later];
    lists.set(later, list);
    return list;
  };
}

/** The option ids that cells of the column can contain. A single undefined if cells contain other values. */
function optionsOf({ holds }: Column, { countingRule }: CountedQuestion): readonly (string | undefined)[] {
  if (holds === undefined || !('options' in countingRule) || countingRule.options.length === 0) return [undefined];
  return countingRule.options;
}

function toEntry(
  column: Column,
  question: CountedQuestion,
  optionId: string | undefined,
  labels: Labels,
): CodebookEntry {
  const { name, question_id: questionId, items, holds } = column;
  const textOf = (item: Column['items'][number]) => ({ id: item.id, text: labels.item(questionId, item) });
  const row = items.find(({ list }) => list === 'rows');
  // A column of the export can represent one option, or one column of a matrix.
  const columnItem = items.find(({ list }) => list !== 'rows');
  const option = optionId === undefined || holds === undefined ? columnItem : { list: holds, id: optionId };
  return {
    column: name,
    questionId,
    title: labels.question(questionId),
    type: question.type,
    row: row && textOf(row),
    option: option && textOf(option),
    required: question.required,
    page: question.page + 1,
    versions: NO_VERSIONS,
  };
}

/** Describes the conditions of an export, beside its columns. */
export function toConditionEntry(digest: string, text: string): CodebookEntry {
  return {
    column: `conditions ${digest}`,
    questionId: undefined,
    title: text,
    type: 'conditions',
    row: undefined,
    option: undefined,
    required: false,
    page: undefined,
    versions: NO_VERSIONS,
  };
}

const NO_VERSIONS: readonly number[] = [];

export const CODEBOOK_COLUMNS = [
  'column',
  'question_id',
  'title',
  'type',
  'row_id',
  'row_text',
  'option_id',
  'option_text',
  'required',
  'page',
  'versions',
] as const;

export function codebookCellsOf(entry: CodebookEntry): readonly (string | number)[] {
  const { column, questionId, title, type, row, option, required, page, versions } = entry;
  const items = [row?.id ?? '', row?.text ?? '', option?.id ?? '', option?.text ?? ''];
  return [column, questionId ?? '', title, type, ...items, String(required), page ?? '', versions.join(' ')];
}

export function* writeCodebookCsv(codebook: readonly CodebookEntry[], options: CsvOptions): Generator<string> {
  yield BYTE_ORDER_MARK + toCsvLine(CODEBOOK_COLUMNS);
  for (const entry of codebook) yield toCsvLine(codebookCellsOf(entry), options);
}

export function* writeCodebookJson(codebook: readonly CodebookEntry[]): Generator<string> {
  yield '[';
  for (const [index, entry] of codebook.entries()) yield `${index === 0 ? '\n' : ',\n'}${toJson(entry)}`;
  yield '\n]\n';
}

function toJson({ column, questionId, title, type, row, option, required, page, versions }: CodebookEntry): string {
  return JSON.stringify({
    column,
    question_id: questionId,
    title,
    type,
    row_id: row?.id,
    row_text: row?.text,
    option_id: option?.id,
    option_text: option?.text,
    required,
    page,
    versions,
  });
}
