import { deserialize, serialize } from 'node:v8';
import type { ResponsesState } from '../responses/response-stream-store.ts';
import { isEncodedCounts } from './counts-shape.ts';
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
