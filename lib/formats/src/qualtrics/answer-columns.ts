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
   */
  find(importId: string | undefined, name: string): AnswerColumn | undefined;
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
  return {
    find(importId, name) {
      if (importId !== undefined) return byId.get(importId);
      return takeNext(byName.get(name)) ?? takeNext(alternatives.get(name));
    },
    sharing: (name) => (byName.get(name) ?? alternatives.get(name) ?? []).map(({ question }) => question.id),
  };
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
