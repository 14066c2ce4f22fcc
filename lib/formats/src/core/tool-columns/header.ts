import type { Row } from '../../tables/row.ts';
import { toLooseKey } from '../columns/headings.ts';
import { RESPONSE_WORDS } from '../columns/rows.ts';

/** A column of a tool's table. */
export interface ToolColumn {
  /** From 0. */
  readonly position: number;
  /** Title in the first header row. All columns of a question share it. */
  readonly title: string;
  /** Cell of the second header row; undefined if the table has one row. */
  readonly part: string | undefined;
  /** Heading in messages and in the option `columns`. Empty for a column without title and part. */
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
 * Reads a header with one or two rows. In the first of two rows, only the first column of a question has a title. The
 * rows `Which meals?`, `` and `Soup`, `Bread` become the columns `Which meals? - Soup` and `Which meals? - Bread`.
 *
 * @param responseTargetOf finds the target of a heading about the response; undefined for other headings. Without this
 *   function, the header has one row.
 */
export function readToolHeader(
  [first, second]: readonly Row[],
  responseTargetOf: ((heading: string) => string | undefined) | undefined,
): ToolHeader {
  const titles = (first?.cells ?? []).map((cell) => cell.trim());
  // A row with an error in a cell is a response.
  const possible = second?.unread === undefined ? (second?.cells ?? []) : [];
  const parts =
    responseTargetOf !== undefined && second !== undefined && isPartRow(titles, possible, responseTargetOf)
      ? possible
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
  /** Number of columns without the empty ones at the end, such as those of trailing commas. */
  const filled = 1 + Math.max(...[titles, parts].map((cells) => cells.findLastIndex((cell) => cell.trim() !== '')));
  let shared = '';
  const columns = Array.from({ length: Math.max(titles.length, filled) }, (_, position): ToolColumn => {
    const [title = '', part = ''] = [titles[position], parts[position]?.trim()];
    if (title !== '' || position >= filled) shared = title;
    const isFirst = title !== '';
    const isLast = position >= filled - 1 || (titles[position + 1] ?? '') !== '';
    const isSingle = (isFirst && isLast) || part === '';
    const name = isSingle ? title : `${shared} - ${part}`;
    return { position, title: shared, part, name, isFirst, isLast };
  });
  return { columns, rows: 2 };
}

/**
 * Whether a row continues the header. Such a row is empty below the headings about the response. A first response can
 * be empty there too, if there are no such headings or all of them are for metadata. Then the row also needs a word such
 * as `Response`. If there are headings for metadata, a cell below an empty title suffices.
 */
function isPartRow(
  titles: readonly string[],
  cells: readonly string[],
  responseTargetOf: (heading: string) => string | undefined,
): boolean {
  const responseCells = titles.flatMap((title, position) => {
    const target = responseTargetOf(title);
    return target === undefined ? [] : [{ target, cell: cells[position]?.trim() ?? '' }];
  });
  if (responseCells.some(({ cell }) => cell !== '')) return false;
  if (responseCells.some(({ target }) => !target.startsWith('metadata.'))) return true;
  const continuesQuestion = cells.some((cell, position) => cell.trim() !== '' && (titles[position] ?? '') === '');
  return cells.some((cell) => RESPONSE_WORDS.has(toLooseKey(cell))) || (responseCells.length > 0 && continuesQuestion);
}
