import type { Row } from '../../tables/row.ts';
import { toLooseKey } from './heading-key.ts';
import { RESPONSE_WORDS } from './rows.ts';

/** A column of a tool's table. */
export interface ToolColumn {
  /** From 0. */
  readonly position: number;
  /** Cell of the first header row, which columns of a question share. */
  readonly title: string;
  /** Cell of the second header row; undefined if the table has one row. */
  readonly part: string | undefined;
  /** Heading in messages and in the option `columns`. */
  readonly name: string;
  readonly isFirst: boolean;
  /** Whether it is the last column of its question. */
  readonly isLast: boolean;
}

interface ToolHeader {
  readonly columns: readonly ToolColumn[];
  /** Number of header rows. */
  readonly rows: number;
}

/**
 * Reads a header with one or two rows. In the first of two rows, only the first column of a question has a title.
 *
 * @param ownTargetOf finds the target of a heading about the response; undefined for other headings. Columns about the
 *   response are empty in the second row.
 */
export function readToolHeader(
  [first, second]: readonly Row[],
  ownTargetOf: ((heading: string) => string | undefined) | undefined,
): ToolHeader {
  const titles = (first?.cells ?? []).map((cell) => cell.trim());
  const parts =
    ownTargetOf !== undefined && second !== undefined && isPartRow(titles, second.cells, ownTargetOf)
      ? second.cells
      : [];
  if (parts.length === 0) {
    const columns = titles.map((title, position) => ({
      position,
      title,
      part: undefined,
      name: title,
      isFirst: true,
      isLast: true,
    }));
    return { columns, rows: 1 };
  }
  const width = Math.max(titles.length, parts.findLastIndex((part) => part.trim() !== '') + 1);
  let shared = '';
  const columns = Array.from({ length: width }, (_, position): ToolColumn => {
    const [title = '', part = ''] = [titles[position], parts[position]?.trim()];
    if (title !== '') shared = title;
    const isFirst = title !== '';
    const isLast = position === width - 1 || (titles[position + 1] ?? '') !== '';
    const isSingle = (isFirst && isLast) || part === '';
    const name = isSingle ? title : `${shared} - ${part}`;
    return { position, title: shared, part, name, isFirst, isLast };
  });
  return { columns, rows: 2 };
}

/**
 * Whether a row continues the header. Such a row is empty below the headings about the response. If all these headings
 * are metadata, a response can be empty there too. Then the row must also name a part of a question.
 */
function isPartRow(
  titles: readonly string[],
  cells: readonly string[],
  ownTargetOf: (heading: string) => string | undefined,
): boolean {
  const responseCells = titles.flatMap((title, position) => {
    const target = ownTargetOf(title);
    return target === undefined ? [] : [{ target, cell: cells[position]?.trim() ?? '' }];
  });
  if (responseCells.some(({ cell }) => cell !== '')) return false;
  if (responseCells.some(({ target }) => !target.startsWith('metadata.'))) return true;
  const continuesQuestion = cells.some((cell, position) => cell.trim() !== '' && (titles[position] ?? '') === '');
  return cells.some((cell) => RESPONSE_WORDS.has(toLooseKey(cell))) || (responseCells.length > 0 && continuesQuestion);
}
