import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { setMember } from '@survey/questionnaire/json';
import { type DroppedValue, unknownColumn } from './file-response.ts';
import { shortenValue } from './shorten-value.ts';

/** The member of a response's metadata for columns that the survey does not have. */
const MEMBER = 'source_data';

/** Converts values in columns that the survey does not have to metadata, and reports each as dropped but kept there. */
export function keepUnknownCells(cells: Iterable<readonly [column: string, value: JsonValue]>) {
  const kept: JsonObject = {};
  for (const [column, value] of cells) setMember(kept, column, shortenValue(value));
  const columns = Object.keys(kept);
  return {
    metadata: columns.length === 0 ? {} : { [MEMBER]: kept },
    dropped: columns.map((column): DroppedValue => unknownColumn(column, { keptAs: [MEMBER, column] })),
  };
}

/** Explains that a column, which the survey does not have, is kept. */
export function unknownColumnWarning(column: string) {
  return {
    code: 'KEPT_AS_SOURCE_DATA',
    detail: `${column.slice(0, 200)} is not an answer and is kept in the metadata`,
  };
}
