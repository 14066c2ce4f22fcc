import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject, setMember } from '@survey/questionnaire/json';
import { shorten } from '@survey/questionnaire/shorten';
import type { WarnOnce } from '../../files/report.ts';
import { bytesOf, listNames, namesOfLargestMembers } from '../source-data.ts';
import { type UnassignedValue, MAX_METADATA, type ParsedResponse, unknownColumn } from './response.ts';

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
 * removed member as unassigned, with a warning for the file. Empty metadata becomes
 * undefined, and an empty `unassigned` is left out.
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
const MEMBER = 'source_data';

/** Converts values in columns that the survey does not have to metadata, and reports each as unassigned but kept there. */
export function keepUnknownCells(cells: Iterable<readonly [column: string, value: JsonValue]>) {
  const kept: JsonObject = {};
  for (const [column, value] of cells) setMember(kept, column, shortenValue(value));
  const columns = Object.keys(kept);
  return {
    metadata: columns.length === 0 ? {} : { [MEMBER]: kept },
    unassigned: columns.map((column): UnassignedValue => unknownColumn(column, { keptAs: [MEMBER, column] })),
  };
}

/** Explains that a column, which the survey does not have, is kept. */
export function unknownColumnWarning(column: string) {
  return {
    code: 'KEPT_AS_SOURCE_DATA',
    detail: `${column.slice(0, 200)} is not an answer and is kept in the metadata`,
  };
}
