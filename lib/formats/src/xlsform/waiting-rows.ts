/** A row of a repeat. */
export interface WaitingRow {
  readonly key: string;
  readonly repeat: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** Rows that wait for their parent, by its key. */
export interface WaitingRows {
  add(parentKey: string, row: WaitingRow): void;
  /** Removes and returns the rows of a parent. */
  take(parentKey: string): readonly WaitingRow[];
  readonly isEmpty: () => boolean;
  /** Whether no more rows should be added. */
  readonly isFull: () => boolean;
}

/** Bytes that a row and a cell take in memory, without their texts. */
const ROW_BYTES = 300;
const CELL_BYTES = 100;
const CHARACTER_BYTES = 2;

export function createWaitingRows(limit: { readonly rows: number; readonly bytes: number }): WaitingRows {
  const byParent = new Map<string, WaitingRow[]>();
  let [rows, bytes] = [0, 0];

  return {
    add(parentKey, row) {
      rows += 1;
      bytes += bytesOf(parentKey, row);
      const siblings = byParent.get(parentKey);
      if (siblings === undefined) byParent.set(parentKey, [row]);
      else siblings.push(row);
    },
    take(parentKey) {
      const found = byParent.get(parentKey) ?? [];
      byParent.delete(parentKey);
      rows -= found.length;
      for (const row of found) bytes -= bytesOf(parentKey, row);
      return found;
    },
    isEmpty: () => rows === 0,
    isFull: () => rows >= limit.rows || bytes >= limit.bytes,
  };
}

function bytesOf(parentKey: string, { key, fields }: WaitingRow): number {
  const characters = fields.reduce((sum, [, cell]) => sum + cell.length, key.length + parentKey.length);
  return ROW_BYTES + CELL_BYTES * fields.length + CHARACTER_BYTES * characters;
}
