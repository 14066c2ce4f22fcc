import { toLooseKey } from '../core/columns/heading-key.ts';
import type { IndexedOption, IndexedQuestion } from './question-index.ts';

/** A column of an export, with the answer or the part of an answer in its cells. */
export type AnswerColumn =
  /** The answer, or several answers separated by commas. */
  | { readonly kind: 'value'; readonly question: IndexedQuestion }
  /** Whether one of several options is chosen. */
  | { readonly kind: 'option'; readonly question: IndexedQuestion; readonly option: IndexedOption }
  | { readonly kind: 'row'; readonly question: IndexedQuestion; readonly row: IndexedOption }
  | {
      readonly kind: 'cell';
      readonly question: IndexedQuestion;
      readonly row: IndexedOption;
      readonly column: IndexedOption;
    }
  /** The text entry of the chosen option. */
  | { readonly kind: 'entry'; readonly question: IndexedQuestion };

type Index = ReadonlyMap<string, IndexedQuestion>;

interface ColumnFinder {
  /**
   * Finds the column of an import id or name; undefined if no question has it. Several questions can share a name: each
   * lookup of such a name returns the column of the next question.
   *
   * @param text text of the column in the second row. Names can number the rows of a table by position, not by key: then
   *   the text tells which row it is.
   */
  find(importId: string | undefined, name: string, text: string): AnswerColumn | undefined;
  /** Ids of the questions that share a name. Call it before the first lookup. */
  sharing(name: string): readonly string[];
}

/** Indexes the columns of exports. */
export function createColumnFinder(index: Index): ColumnFinder {
  const byId = new Map<string, AnswerColumn>();
  const byName = new Map<string, AnswerColumn[]>();
  const alternatives = new Map<string, AnswerColumn[]>();
  const add = (columns: Map<string, AnswerColumn[]>, name: string, column: AnswerColumn) => {
    const same = columns.get(name);
    if (same === undefined) columns.set(name, [column]);
    else if (!same.some(({ question }) => question === column.question)) same.push(column);
  };
  for (const question of index.values()) {
    for (const [suffix, column] of columnsOf(question, (option) => [`_${option.key}`])) {
      const id = `${question.sourceId}${suffix}`;
      if (!byId.has(id)) byId.set(id, column);
      add(byName, `${question.tag}${suffix}`, column);
    }
    // Exports can have the codes or tags of options in place of their keys.
    const asExported = columnsOf(question, (option) =>
      option.tag === undefined ? [`_${option.code}`] : [`_${option.tag}`, option.tag],
    );
    for (const [suffix, column] of asExported) add(alternatives, `${question.tag}${suffix}`, column);
    for (const row of question.rows) {
      if (row.tag === undefined) continue;
      add(alternatives, row.tag, { kind: 'row', question, row });
      const entry = index.get(`${question.sourceId}_${row.key}_TEXT`);
      if (entry === undefined) continue;
      for (const name of [`${question.tag}_${row.tag}_TEXT`, `${question.tag}${row.tag}_TEXT`]) {
        add(alternatives, name, { kind: 'value', question: entry });
      }
    }
  }
  const rowsByQuestion = new Map<IndexedQuestion, ReadonlyMap<string, ReadonlySet<IndexedOption>>>();
  const rowsOf = (question: IndexedQuestion) => {
    const known = rowsByQuestion.get(question);
    if (known !== undefined) return known;
    const named = question.rows.flatMap((row) => row.texts.map((text) => ({ key: toLooseKey(text), row })));
    const rows = new Map(
      [...Map.groupBy(named, ({ key }) => key)].map(([key, same]) => [key, new Set(same.map(({ row }) => row))]),
    );
    rows.delete('');
    rowsByQuestion.set(question, rows);
    return rows;
  };
  return {
    find(importId, name, text) {
      if (importId !== undefined) return byId.get(importId);
      const found = takeNext(byName.get(name)) ?? takeNext(alternatives.get(name));
      if (found?.kind !== 'row' && found?.kind !== 'cell') return found;
      const row = rowIn(text, rowsOf(found.question));
      return row === undefined ? found : { ...found, row };
    },
    sharing: (name) => (byName.get(name) ?? alternatives.get(name) ?? []).map(({ question }) => question.id),
  };
}

/** Maximum parts of the text of a column. Titles and rows can contain the separator. */
const MAX_PARTS = 12;

/** Finds the row that the text of a column, such as `Title - Row`, names; undefined if there are several. */
function rowIn(text: string, rows: ReadonlyMap<string, ReadonlySet<IndexedOption>>): IndexedOption | undefined {
  const parts = text.split(' - ').slice(-MAX_PARTS);
  const keys = parts.flatMap((_, start) =>
    parts.slice(start).map((__, count) => toLooseKey(parts.slice(start, start + count + 1).join(' - '))),
  );
  const [row, ...others] = new Set(keys.flatMap((key) => [...(rows.get(key) ?? [])]));
  return others.length === 0 ? row : undefined;
}

/** Removes and returns the first column of a list. The last column stays in the list. */
function takeNext(columns: AnswerColumn[] | undefined): AnswerColumn | undefined {
  return columns !== undefined && columns.length > 1 ? columns.shift() : columns?.[0];
}

type Suffixes = (option: IndexedOption) => readonly string[];

function columnsOf(
  question: IndexedQuestion,
  suffixesOf: Suffixes,
): readonly (readonly [suffix: string, column: AnswerColumn])[] {
  const { type, multiple, options, rows, columns } = question;
  const value: AnswerColumn = { kind: 'value', question };
  switch (type) {
    case 'multiple_choice':
      return [
        ['', value],
        ...options.flatMap((option) =>
          suffixesOf(option).map((suffix) => [suffix, { kind: 'option', question, option }] as const),
        ),
      ];
    case 'single_choice':
      return [
        ['', value],
        ['_TEXT', { kind: 'entry', question }],
      ];
    case 'likert':
    case 'matrix':
      return rows.flatMap((row) =>
        suffixesOf(row).flatMap((suffix): (readonly [string, AnswerColumn])[] =>
          multiple
            ? columns.flatMap((column) =>
                [`_${column.key}`, `_${column.code}`].map(
                  (end) => [`${suffix}${end}`, { kind: 'cell', question, row, column }] as const,
                ),
              )
            : [[suffix, { kind: 'row', question, row }]],
        ),
      );
    case 'file_upload':
      return [];
    default:
      return [
        ['', value],
        ['_TEXT', value],
      ];
  }
}
