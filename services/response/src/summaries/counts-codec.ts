import { deserialize, serialize } from 'node:v8';
import { isObject } from '@survey/runtime/json/is-object';
import type { ResponsesState } from '../responses/response-stream-store.ts';
import { createIntCounts, type PackedCounts, toPacked } from './int-counts.ts';
import type { NumberCounts } from './number-tally.ts';
import { type KindCounts, toQuestionCounts } from './question-tally.ts';
import { type SurveyCounts, toSurveyCounts } from './survey-tally.ts';
import { createSurveyTimes, type TimeKind, timeKinds } from './survey-times.ts';

/** Counts of responses, with the state of these responses. */
export interface CountsWithState {
  readonly state: ResponsesState;
  readonly counts: SurveyCounts;
}

/**
 * Number of the format. Increase it if the encoding changes, or if other things are counted. Then stored counts of
 * earlier formats are ignored, and the responses counted again.
 */
export const COUNTS_FORMAT = 2;

type OptionCounts = ReadonlyMap<string, number>;

/** The counts of a `KindTally` without functions. */
type EncodedKind =
  | { readonly kind: 'choices'; readonly options: OptionCounts }
  | { readonly kind: 'numbers'; readonly counted: NumberCounts }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly [id: string, answered: number, OptionCounts])[] }
  | { readonly kind: 'dates' | 'times'; readonly counts: PackedCounts }
  | { readonly kind: 'files'; readonly count: number }
  | { readonly kind: 'presence' };

interface Encoded extends Pick<SurveyCounts, 'versions' | 'stops' | 'skips'> {
  readonly state: ResponsesState;
  readonly questions: readonly (readonly [id: string, answered: number, hidden: number, EncodedKind])[];
  readonly times: Readonly<Record<TimeKind, PackedCounts>>;
}

/** Uses the format of the structured clone algorithm: it has maps, typed arrays and infinite numbers. */
export function encodeCounts({ state, counts }: CountsWithState): Uint8Array {
  const { questions, versions, times, stops, skips } = counts;
  const packed = Object.fromEntries(timeKinds.map((kind) => [kind, toPacked(times.counted[kind])]));
  const encoded: Encoded = {
    state,
    versions,
    stops,
    skips,
    questions: [...questions].map(([id, { answered, hidden, kindCounts }]) => [
      id,
      answered,
      hidden,
      encode(kindCounts),
    ]),
    // `packed` is made of `timeKinds`, so it has all kinds.
    times: packed as Encoded['times'],
  };
  return serialize(encoded);
}

/** Decodes counts that `encodeCounts` encoded with the same format. Throws if the bytes are not such counts. */
export function decodeCounts(bytes: Uint8Array): CountsWithState {
  const encoded: unknown = deserialize(bytes);
  if (!isEncodedCounts(encoded)) throw new TypeError('the bytes are no counts of this format');
  const { state, questions, versions, times: given, stops, skips } = encoded as Encoded;
  const decoded = questions.map(
    ([id, answered, hidden, kind]) => [id, toQuestionCounts({ answered, hidden, kindCounts: decode(kind) })] as const,
  );
  const counts = { questions: new Map(decoded), versions, times: createSurveyTimes({ given }), stops, skips };
  return { state, counts: toSurveyCounts(counts) };
}

function encode(counts: KindCounts): EncodedKind {
  switch (counts.kind) {
    case 'choices':
      return { kind: counts.kind, options: toNumbers(counts.tally.counts) };
    case 'numbers':
      return { kind: counts.kind, counted: counts.tally.counted };
    case 'rows': {
      const { rows } = counts.tally;
      const encoded = [...rows].map(([id, row]) => [id, row.answered, toNumbers(row.options.counts)] as const);
      return { kind: counts.kind, rows: encoded };
    }
    case 'dates':
    case 'times':
      return { kind: counts.kind, counts: toPacked(counts.tally.counts) };
    case 'files':
      return { kind: counts.kind, count: counts.tally.count };
    case 'presence':
      return { kind: counts.kind };
  }
}

function decode(encoded: EncodedKind): KindCounts {
  switch (encoded.kind) {
    case 'choices':
      return { kind: encoded.kind, tally: { counts: fromNumbers(encoded.options) } };
    case 'numbers':
      return { kind: encoded.kind, tally: { counted: encoded.counted } };
    case 'rows': {
      const rows = encoded.rows.map(
        ([id, answered, options]) => [id, { answered, options: { counts: fromNumbers(options) } }] as const,
      );
      return { kind: encoded.kind, tally: { rows: new Map(rows) } };
    }
    case 'dates':
    case 'times':
      return { kind: encoded.kind, tally: { counts: createIntCounts(encoded.counts) } };
    case 'files':
      return { kind: encoded.kind, tally: { count: encoded.count } };
    case 'presence':
      return { kind: encoded.kind };
  }
}

function toNumbers(counts: ReadonlyMap<string, { readonly count: number }>): OptionCounts {
  return new Map([...counts].map(([id, { count }]) => [id, count]));
}

function fromNumbers(counts: OptionCounts): ReadonlyMap<string, { readonly count: number }> {
  return new Map([...counts].map(([id, count]) => [id, { count }]));
}

type Check = (value: unknown) => boolean;

/** Whether a value has the shape that `encodeCounts` stores. Numbers of responses are safe integers from 0. */
const isEncodedCounts: Check = (value) => isEncoded(value) && arePartsWithinWholes(value as PartsAndWholes);

interface PartsAndWholes {
  readonly state: { readonly count: number };
  readonly versions: ReadonlyMap<
    number,
    { readonly all: number; readonly completed: number; readonly counted: number }
  >;
  readonly questions: readonly (readonly [id: string, answered: number, hidden: number])[];
}

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

function hasMembers(members: Readonly<Record<string, Check>>): Check {
  return (value) => isObject(value) && Object.entries(members).every(([name, check]) => check(value[name]));
}

function isMapOf(isKey: Check, isValue: Check): Check {
  return (value) => value instanceof Map && [...value].every(([key, one]) => isKey(key) && isValue(one));
}

function isListOf(isItem: Check): Check {
  return (value) => Array.isArray(value) && value.every(isItem);
}

function isTuple(...items: readonly Check[]): Check {
  return (value) =>
    Array.isArray(value) && value.length === items.length && items.every((check, index) => check(value[index]));
}

const isOptions = isMapOf(isText, isCount);

const isPacked: Check = (value) =>
  Array.isArray(value) &&
  value[0] instanceof Int32Array &&
  value[1] instanceof Uint32Array &&
  value[0].length === value[1].length;

/** Large numbers can overflow, so the sum and other statistics can be infinite or not a number. */
const isNumberCounts = hasMembers({
  count: isCount,
  sum: isNumber,
  min: isNumber,
  max: isNumber,
  mean: isNumber,
  squares: isNumber,
  frequencies: (value) => value === undefined || isMapOf(isNumber, isCount)(value),
});

const KINDS: Readonly<Record<string, Check>> = {
  choices: hasMembers({ options: isOptions }),
  numbers: hasMembers({ counted: isNumberCounts }),
  rows: hasMembers({ rows: isListOf(isTuple(isText, isCount, isOptions)) }),
  dates: hasMembers({ counts: isPacked }),
  times: hasMembers({ counts: isPacked }),
  files: hasMembers({ count: isCount }),
  presence: isObject,
};

const isKind: Check = (value) =>
  isObject(value) && Object.hasOwn(KINDS, String(value['kind'])) && KINDS[String(value['kind'])]?.(value) === true;

const isEncoded = hasMembers({
  state: hasMembers({ count: isCount, changedMs: (value) => typeof value === 'bigint' }),
  versions: isMapOf(isCount, hasMembers({ all: isCount, completed: isCount, counted: isCount })),
  stops: isMapOf(isText, hasMembers({ inProgress: isCount, abandoned: isCount, disqualified: isCount })),
  skips: isMapOf(isCount, isCount),
  questions: isListOf(isTuple(isText, isCount, isCount, isKind)),
  times: hasMembers(Object.fromEntries(timeKinds.map((kind) => [kind, isPacked]))),
});

/** Whether parts are at most as large as their wholes. */
function arePartsWithinWholes({ state, versions, questions }: PartsAndWholes): boolean {
  return (
    versions
      .values()
      .every(({ all, completed, counted }) => Math.max(completed, counted) <= all && all <= state.count) &&
    questions.every(([, answered, hidden]) => answered + hidden <= state.count)
  );
}
