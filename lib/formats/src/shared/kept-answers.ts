import type { JsonObject } from '@bufbuild/protobuf';
import { isObject, setMember } from '@survey/questionnaire/json';
import { MAX_METADATA, type UnreadValue } from './file-response.ts';
import { bytesOf } from './largest-members.ts';

/** Reports a value of a response that is not stored as an answer. Never contains the value itself. */
export interface Omission {
  /** The id of the question, or the name of the column. */
  readonly column: string;
  readonly code: string;
  readonly detail: string;
  /** `kept` in the metadata, `dropped`, or `missing` in the file although the question is required. */
  readonly action: 'kept' | 'dropped' | 'missing';
}

/** The member of a response's metadata that has its invalid answers by question id. */
const KEPT_ANSWERS = 'invalid_answers';
/** Bytes for the member with kept answers in the metadata, without its content. */
const RESERVED = Buffer.byteLength(JSON.stringify({ [KEPT_ANSWERS]: {} })) + 1;

interface KeepOptions {
  /** Whether values are kept, or only listed. */
  readonly keepsValues: boolean;
  readonly renameColumns: (values: JsonObject) => JsonObject;
}

/** Adds values to the metadata, as far as they fit, and lists for each whether it was kept or dropped. */
export function keepInMetadata(
  metadata: JsonObject | undefined,
  values: readonly UnreadValue[],
  { keepsValues, renameColumns }: KeepOptions,
) {
  const before = metadata?.[KEPT_ANSWERS];
  const kept: JsonObject = isObject(before) ? { ...renameColumns(before as JsonObject) } : {};
  const given = metadata === undefined || !isObject(before) ? metadata : { ...metadata, [KEPT_ANSWERS]: kept };
  if (values.length === 0) return { metadata: given, omissions: [] };
  let left = MAX_METADATA - RESERVED - (given === undefined ? 0 : bytesOf(given));
  let isAnyKept = false;
  const omissions = values.map(({ name: column, code, detail, value: valueInFile }): Omission => {
    // Measure the renamed column: new ids can be longer.
    const [[name, value] = [column, valueInFile]] = Object.entries(renameColumns({ [column]: valueInFile }));
    const size = bytesOf(name) + bytesOf(value) + 2;
    const isKept = keepsValues && value !== null && size <= left && !Object.hasOwn(kept, name);
    if (isKept) {
      left -= size;
      isAnyKept = true;
      setMember(kept, name, value);
    }
    return { column, code, detail, action: isKept ? 'kept' : 'dropped' };
  });
  return { metadata: isAnyKept ? { ...given, [KEPT_ANSWERS]: kept } : given, omissions };
}
