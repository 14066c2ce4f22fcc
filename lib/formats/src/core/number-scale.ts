import type { JsonObject } from '@bufbuild/protobuf';

/** Maximum items of a ranking that becomes a matrix, which has a column for each rank. */
export const MAX_RANKS = 100;

/** Options or columns with the numbers from 1 on: a scale, or the ranks of a ranking. */
export function numberScale(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, index) => {
    const number = String(index + 1);
    return { id: number, text: number, source_data: { source_id: number } };
  });
}
