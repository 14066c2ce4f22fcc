import { deserialize, serialize } from 'node:v8';
import { isObject } from '@survey/runtime/json/is-object';
import type { ResponsesFingerprint } from '../responses/response-stream-store.ts';
import { type KindCounts, toQuestionCounts } from './question-tally.ts';
import { type SurveyCounts, toSurveyCounts } from './survey-tally.ts';
import { timeKinds } from './survey-times.ts';

/** Counts of responses, with a fingerprint of these responses. */
export interface CountsWithState {
  readonly state: ResponsesFingerprint;
  readonly counts: SurveyCounts;
}

/** Increase it if the encoding or the meaning of counts changes. Stored counts of other formats are ignored. */
export const COUNTS_FORMAT = 2;

type Encoded = Omit<SurveyCounts, 'questions' | 'conditions' | 'groups' | 'size'> & {
  readonly state: ResponsesFingerprint;
  readonly questions: readonly (readonly [id: string, answered: number, notShown: number, KindCounts])[];
};

/**
 * Omits `conditions` and `groups`, because counts with these are not stored. Uses the format of the structured clone
 * algorithm, which supports maps, typed arrays and infinite numbers.
 */
export function encodeCounts({ state, counts }: CountsWithState): Uint8Array {
  const { size: _, conditions: __, groups: ___, questions, ...others } = counts;
  const encoded: Encoded = {
    state,
    ...others,
    questions: [...questions].map(([id, { answered, notShown, kindCounts }]) => [id, answered, notShown, kindCounts]),
  };
  return serialize(encoded);
}

/** Throws if the bytes are not counts of this format. */
export function decodeCounts(bytes: Uint8Array): CountsWithState {
  const encoded: unknown = deserialize(bytes);
  if (!isEncodedCounts(encoded)) throw new TypeError('the bytes are no counts of this format');
  const { state, questions, versions, times, stops, skips } = encoded as Encoded;
  const decoded = questions.map(
    ([id, answered, notShown, kindCounts]) => [id, toQuestionCounts({ answered, notShown, kindCounts })] as const,
  );
  return { state, counts: toSurveyCounts({ questions: new Map(decoded), versions, times, stops, skips }) };
}

type Check = (value: unknown) => boolean;

/** Whether a value has the shape that `encodeCounts` stores. */
const isEncodedCounts: Check = (value) => isEncoded(value) && arePartsWithinWholes(value as Encoded);

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

/** The sum and other statistics can be infinite or not a number, because large numbers overflow. */
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

function arePartsWithinWholes({ state, versions, questions }: Encoded): boolean {
  return (
    versions
      .values()
      .every(({ all, completed, counted }) => Math.max(completed, counted) <= all && all <= state.count) &&
    questions.every(([, answered, notShown]) => answered + notShown <= state.count)
  );
}
