import type { IndexedQuestion } from './question-index.ts';

/** Names of database columns: ids of survey, group and question, then a suffix. XML adds an underscore before them. */
const FIELD = /^_?\d+X\d+X(\d.*)$/s;

/** Converts the name of a database column to that of an export: `12X3X45SQ001` to `Q1[SQ001]`. Others are unchanged. */
export type ToColumnName = (field: string) => string;

export function createToColumnName(index: readonly IndexedQuestion[]): ToColumnName {
  const codes = new Map(
    index.flatMap(({ qid, sourceId }) => (qid === undefined ? [] : [[qid, sourceId.replace(/[[#].*$/s, '')] as const])),
  );
  return (field) => {
    const rest = FIELD.exec(field)?.[1];
    if (rest === undefined) return field;
    // Codes of subquestions can begin with digits, so the longest known id wins.
    for (let { length } = /^\d+/.exec(rest)?.[0] ?? ''; length > 0; length -= 1) {
      const code = codes.get(rest.slice(0, length));
      if (code !== undefined) return toName(code, rest.slice(length));
    }
    return field;
  };
}

/** `#0` and `#1` are the scales of questions with two scales. XML elements have a hyphen instead. */
function toName(code: string, suffix: string): string {
  if (suffix === '') return code;
  const [, row, scale] = /^(.+)[#-]([01])$/s.exec(suffix) ?? [];
  if (row !== undefined) return `${code}[${row}][${Number(scale) + 1}]`;
  return `${code}[${suffix.replace(/^_(?=filecount$)/, '')}]`;
}
