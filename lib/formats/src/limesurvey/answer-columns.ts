import type { IndexedOption, IndexedQuestion } from './question-index.ts';

/** A column of an export, with the answer or the part of an answer in its cells. */
export type AnswerColumn =
  | { readonly kind: 'value'; readonly question: IndexedQuestion }
  | { readonly kind: 'other'; readonly question: IndexedQuestion }
  | { readonly kind: 'option'; readonly question: IndexedQuestion; readonly option: IndexedOption }
  | { readonly kind: 'row'; readonly question: IndexedQuestion; readonly row: IndexedOption }
  | {
      readonly kind: 'cell';
      readonly question: IndexedQuestion;
      readonly row: IndexedOption;
      readonly column: IndexedOption;
    }
  /** The code of a choice question whose only option is `other`. Such a question is converted to a text question. */
  | { readonly kind: 'chosen'; readonly question: IndexedQuestion }
  /** The item with this rank. */
  | { readonly kind: 'rank'; readonly question: IndexedQuestion; readonly rank: IndexedOption };

/** End of the name of a column with the text of `other`. */
export const OTHER_COLUMN = '[other]';

/**
 * Finds the answers that a column of the file contains, by its name; empty if it belongs to no question. A date with a
 * time gives two: one for the question about the date, and one for that about the time.
 */
type FindColumns = (name: string) => readonly AnswerColumn[];

/** Indexes the columns of exports: `Q1`, `Q1[SQ001]`, or `Q1_SQ001` in exports for statistics software. */
export function createColumnFinder(index: readonly IndexedQuestion[]): FindColumns {
  const columns = new Map<string, AnswerColumn[]>();
  const alternatives = new Map<string, AnswerColumn[]>();
  for (const question of index) {
    for (const [name, column] of columnsOf(question)) {
      add(columns, name, column);
      add(alternatives, name.replaceAll(/[[\]]+/g, '_').replace(/_$/, ''), column);
    }
  }
  return (name) => {
    const found = columns.get(name) ?? alternatives.get(name);
    if (found !== undefined) return found;
    const code = codeOf(name);
    return (code === undefined ? undefined : columns.get(code)) ?? [];
  };
}

/** The code of a heading with code and text: `Q1` of `Q1. How was it?`; undefined for other headings. */
export function codeOf(heading: string): string | undefined {
  return /^([^.\s]+)\. /.exec(heading)?.[1];
}

function add(columns: Map<string, AnswerColumn[]>, name: string, column: AnswerColumn): void {
  const same = columns.get(name);
  // Only the date and the time of one question share a column. Otherwise, the first question has it.
  if (same === undefined) columns.set(name, [column]);
  else if (column.question.moment !== undefined) same.push(column);
}

function columnsOf(question: IndexedQuestion): readonly (readonly [name: string, column: AnswerColumn])[] {
  const { type, sourceId, letter, options, rows, columns, allowOther, multiple, scale } = question;
  const other: readonly (readonly [string, AnswerColumn])[] = allowOther
    ? [[`${sourceId}${OTHER_COLUMN}`, { kind: 'other', question }]]
    : [];
  switch (type) {
    case 'multiple_choice':
      return [
        ...options.map((option) => [`${sourceId}[${option.code}]`, { kind: 'option', question, option }] as const),
        ...other,
      ];
    case 'likert': {
      const code = sourceId.replace(/#\d$/, '');
      const end = scale === undefined ? '' : `[${scale}]`;
      return rows.map((row) => [`${code}[${row.code}]${end}`, { kind: 'row', question, row }] as const);
    }
    case 'matrix':
      if (letter === 'R') {
        return columns.map((rank) => [`${sourceId}[${rank.code}]`, { kind: 'rank', question, rank }] as const);
      }
      if (!multiple) return [];
      return rows.flatMap((row) =>
        columns.map(
          (column) => [`${sourceId}[${row.code}_${column.code}]`, { kind: 'cell', question, row, column }] as const,
        ),
      );
    case 'file_upload':
      return [];
    default:
      // For a choice with only `other`, the text is in the column `Q1[other]`. The column `Q1` has the code `-oth-`.
      if (sourceId.endsWith(OTHER_COLUMN)) {
        return [
          [sourceId.slice(0, -OTHER_COLUMN.length), { kind: 'chosen', question }],
          [sourceId, { kind: 'value', question }],
        ];
      }
      return [[sourceId.replace(/#time$/, ''), { kind: 'value', question }], ...other];
  }
}
