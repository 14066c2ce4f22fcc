import type { JsonObject } from '@bufbuild/protobuf';
import { readNames } from '../tables/header.ts';
import type { Row } from '../tables/row.ts';
import { createColumnFinder } from './answer-columns.ts';
import { createToColumnName } from './field-names.ts';
import { indexQuestions } from './question-index.ts';

/** Columns about the response that each VV file has. */
const REQUIRED_COLUMNS = ['id', 'submitdate'];
const NOT_SHOWN = '{question_not_shown}';
/** Escapes of VV cells. */
const ESCAPES: Readonly<Record<string, string>> = {
  '{newline}': '\n',
  '{cr}': '\r',
  '{tab}': '\t',
  '{quote}': '"',
  '{lbrace}': '{',
};

/** The names in the second row of a VV file, converted to the names in other exports; undefined if it is no VV file. */
export function findVvHeader([, second]: readonly Row[], payload: JsonObject): readonly string[] | undefined {
  if (second === undefined) return undefined;
  const given = readNames(second);
  if (!REQUIRED_COLUMNS.every((name) => given.includes(name))) return undefined;
  const index = indexQuestions(payload);
  const toColumnName = createToColumnName(index);
  const find = createColumnFinder(index);
  return given.map((name) => {
    // VV files count scales from 0, other exports from 1.
    const [, row, scale] = /^(.+)_([01])$/s.exec(name) ?? [];
    const shifted = `${row}_${Number(scale) + 1}`;
    const isScale = row !== undefined && find(shifted).some(({ question }) => question.scale !== undefined);
    return isScale ? shifted : toColumnName(name);
  });
}

/** The text of a VV cell; empty for a question that was not shown. */
export function fromVvCell(cell: string): string {
  if (cell.trim() === NOT_SHOWN) return '';
  return cell.replaceAll(/\{(?:newline|cr|tab|quote|lbrace)\}/g, (name) => ESCAPES[name] ?? name);
}
