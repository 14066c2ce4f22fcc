import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject, setMember } from '@survey/questionnaire/json';
import { shorten } from '@survey/questionnaire/shorten';
import type { WarnOnce } from '../../files/report.ts';
import { bytesOf, listNames, namesOfLargestMembers } from '../source-data.ts';
import {
  MAX_METADATA,
  type Omission,
  type ParsedResponse,
  type UnassignedValue,
  type UnusableValue,
  unknownColumn,
} from './response.ts';

/** A member of the metadata, or of an object in it. */
interface Member {
  readonly path: readonly string[];
  readonly value: JsonValue;
}

interface Options {
  readonly warnOnce: WarnOnce;
  /** Location of the response in the file; can be empty. */
  readonly path?: string;
  /** Values that the reader reports. If their metadata is removed, they are reported as not kept. */
  readonly unassigned?: readonly UnassignedValue[];
}

const FULL = 'the metadata of the response is full';

/**
 * Removes the largest members from metadata that exceeds its limit, including members of its objects. Reports each
 * removed member as unassigned, with a warning for the file. Empty metadata becomes undefined, and an empty `unassigned`
 * is left out.
 */
export function fitMetadata(
  metadata: JsonObject,
  { warnOnce, path = '', unassigned = [] }: Options,
): Pick<ParsedResponse, 'metadata' | 'unassigned'> {
  const removed = new Map<string, Member>();
  let rest = metadata;
  // The sizes of members are approximate, so the rest can still be too large.
  for (let excess = bytesOf(rest) - MAX_METADATA; excess > 0; excess = bytesOf(rest) - MAX_METADATA) {
    const members = membersOf(rest);
    const largest = namesOfLargestMembers(
      members.map(({ value }, position) => [String(position), value]),
      excess,
    );
    rest = {};
    for (const [position, member] of members.entries()) {
      if (largest.has(String(position))) removed.set(keyOf(member.path), member);
      else addMember(rest, member);
    }
  }
  if (removed.size === 0) return resultOf(metadata, unassigned);
  const names = listNames(new Set([...removed.values()].map((member) => member.path.join('.'))));
  const detail = `The metadata of a response can have ${MAX_METADATA} bytes; the largest members are not imported: ${names}`;
  warnOnce('metadata', { path, code: 'NOT_IMPORTED', detail });
  const reported = unassigned.map((value): UnassignedValue => {
    const { keptAs, ...others } = value;
    if (keptAs === undefined || !removed.delete(keyOf(keptAs))) return value;
    return { ...others, detail: `${others.detail}, and ${FULL}` };
  });
  const unreported = [...removed.values()].map(
    (member): UnassignedValue => ({ column: member.path.join('.'), code: 'TOO_LARGE', detail: FULL }),
  );
  return resultOf(rest, [...reported, ...unreported]);
}

function resultOf(
  metadata: JsonObject,
  unassigned: readonly UnassignedValue[],
): Pick<ParsedResponse, 'metadata' | 'unassigned'> {
  return {
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
    ...(unassigned.length === 0 ? {} : { unassigned }),
  };
}

function membersOf(metadata: JsonObject): readonly Member[] {
  return Object.entries(metadata).flatMap(([name, value]): readonly Member[] =>
    isObject(value) && Object.keys(value).length > 0
      ? Object.entries(value).map(([inner, one]) => ({ path: [name, inner], value: one }))
      : [{ path: [name], value }],
  );
}

function addMember(metadata: JsonObject, { path: [name = '', inner], value }: Member): void {
  if (inner === undefined) {
    setMember(metadata, name, value);
    return;
  }
  const before = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
  const object: JsonObject = isObject(before) ? before : {};
  setMember(object, inner, value);
  setMember(metadata, name, object);
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** Maximum characters of a value that is not an answer, as JSON. */
const MAX_KEPT = 10_000;

/** A value for the metadata of a response. A long one becomes the beginning of its JSON text. */
export function shortenValue(value: JsonValue): JsonValue {
  const text = JSON.stringify(value);
  return text.length <= MAX_KEPT ? value : shorten(text, MAX_KEPT);
}

/** The member of a response's metadata for columns that the survey does not have. */
const UNKNOWN_CELLS = 'source_data';

/** Converts values in columns that the survey does not have to metadata, and reports each as unassigned but kept there. */
export function keepUnknownCells(cells: Iterable<readonly [column: string, value: JsonValue]>) {
  const kept: JsonObject = {};
  for (const [column, value] of cells) setMember(kept, column, shortenValue(value));
  const columns = Object.keys(kept);
  return {
    metadata: columns.length === 0 ? {} : { [UNKNOWN_CELLS]: kept },
    unassigned: columns.map((column): UnassignedValue => unknownColumn(column, { keptAs: [UNKNOWN_CELLS, column] })),
  };
}

/** Explains that a column, which the survey does not have, is kept. */
export function unknownColumnWarning(column: string) {
  return {
    code: 'KEPT_AS_SOURCE_DATA',
    detail: `${column.slice(0, 200)} is not an answer and is kept in the metadata`,
  };
}

/** The member of a response's metadata that has its invalid answers by question id. */
const KEPT_ANSWERS = 'invalid_answers';
/** Bytes for the member with kept answers in the metadata, without its content. */
const RESERVED = Buffer.byteLength(JSON.stringify({ [KEPT_ANSWERS]: {} })) + 1;

/**
 * Renames kept invalid answers, if the import gives questions new ids. Their names are like columns, such as `q3[row]`.
 */
export type RenameColumns = (values: JsonObject) => JsonObject;

interface KeepOptions {
  /** Whether values are kept, or only listed. */
  readonly keepsValues: boolean;
  readonly renameColumns: RenameColumns;
}

/** Renames the invalid answers that an earlier import kept in the metadata. */
export function renameKept(metadata: JsonObject | undefined, renameColumns: RenameColumns): JsonObject | undefined {
  const before = metadata?.[KEPT_ANSWERS];
  return isObject(before) ? { ...metadata, [KEPT_ANSWERS]: renameColumns(before as JsonObject) } : metadata;
}

/** Adds values to the metadata, as far as they fit, and lists for each whether it was kept or dropped. */
export function keepInMetadata(
  metadata: JsonObject | undefined,
  values: readonly UnusableValue[],
  { keepsValues, renameColumns }: KeepOptions,
) {
  if (values.length === 0) return { metadata, omissions: [] };
  const before = metadata?.[KEPT_ANSWERS];
  // A member of the file that is no object moves into the new object of its name.
  const kept: JsonObject = isObject(before) ? { ...before } : before === undefined ? {} : { [KEPT_ANSWERS]: before };
  let left = MAX_METADATA - RESERVED - (metadata === undefined ? 0 : bytesOf(metadata));
  const omissions = values.map(({ name: column, code, detail, value: valueInFile }): Omission => {
    // Measure the renamed column: new ids can be longer.
    const [[name, value] = [column, valueInFile]] = Object.entries(renameColumns({ [column]: valueInFile }));
    const size = bytesOf(name) + bytesOf(value) + 2;
    const isKept = keepsValues && value !== null && size <= left && !Object.hasOwn(kept, name);
    if (isKept) {
      left -= size;
      setMember(kept, name, value);
    }
    return { column, code, detail, action: isKept ? 'kept' : 'dropped' };
  });
  const isAnyKept = omissions.some(({ action }) => action === 'kept');
  return { metadata: isAnyKept ? { ...metadata, [KEPT_ANSWERS]: kept } : metadata, omissions };
}
