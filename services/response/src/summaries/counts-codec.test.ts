import { deserialize, serialize } from 'node:v8';
import type { JsonObject } from '@bufbuild/protobuf';
import { anyData, anySurvey } from '@survey/questionnaire/testing/arbitraries';
import { isObject } from '@survey/runtime/json/is-object';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Response } from '../responses/response.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';
import { newResponse } from '../testing/new-response.ts';
import { newDefinition } from '../testing/test-definition.ts';
import { decodeCounts, encodeCounts } from './counts-codec.ts';
import { createSurveyTally, type SurveyCounts } from './survey-tally.ts';
import { offsetsOf } from './survey-times.ts';

interface Encoded {
  readonly times: object;
}

const state = { count: 3, changedMs: 9_007_199_254_740_993n };

function tallyOf({ version, compiled }: CompiledSurvey) {
  return createSurveyTally(new Map([[version, compiled()]]), { maxListed: 1_000 });
}

function countsOf(survey: CompiledSurvey, responses: readonly Response[]): SurveyCounts {
  const tally = tallyOf(survey);
  for (const response of responses) tally.add(response);
  return tally.counts();
}

function sumUp(survey: CompiledSurvey, counts: SurveyCounts) {
  const total = tallyOf(survey);
  total.merge(counts);
  const { times } = total;
  return [
    total.summary(),
    times.byDay(offsetsOf('UTC')),
    times.timeline('hour', offsetsOf('UTC')),
    times.medianSeconds(),
  ];
}

describe('encoded counts', () => {
  it('have the same summary and size as before', () => {
    const status = fc.constantFrom<Response['status']>('completed', 'completed', 'disqualified', 'in_progress');
    fc.assert(
      fc.property(anySurvey, fc.array(fc.tuple(status, anyData)), (payload, given) => {
        // Generated definitions are JSON.
        const survey = newDefinition([], { survey: (payload as { survey: JsonObject }).survey });
        const { validate } = survey.compiled();
        const responses = given.map(([status, raw]) =>
          newResponse(survey, { status, startedAt: new Date(0), data: validate(raw).data as JsonObject }),
        );
        const counts = countsOf(survey, responses);
        const stateOfAll = { ...state, count: responses.length };
        const decoded = decodeCounts(encodeCounts({ state: stateOfAll, counts }));
        expect(decoded.state).toEqual(stateOfAll);
        expect(decoded.counts.size).toBe(counts.size);
        expect(sumUp(survey, decoded.counts)).toEqual(sumUp(survey, counts));
      }),
    );
  });

  it('keep numbers that are not finite, and no numbers at all', () => {
    const survey = newDefinition([{ id: 'n', type: 'text', format: 'number' }]);
    for (const numbers of [[], ['1e308', '1e308'], ['-0.5']]) {
      const counts = countsOf(
        survey,
        numbers.map((n) => newResponse(survey, { data: { n } })),
      );
      const decoded = decodeCounts(encodeCounts({ state, counts })).counts;
      expect(sumUp(survey, decoded)).toEqual(sumUp(survey, counts));
    }
  });
});

describe('bytes that are no encoded counts', () => {
  const survey = newDefinition([
    { id: 'c', type: 'single_choice', options: [{ id: 'x' }, { id: 'y' }] },
    { id: 'n', type: 'rating' },
    { id: 'm', type: 'matrix', rows: [{ id: 'r' }], columns: [{ id: 'x' }, { id: 'y' }] },
    { id: 'd', type: 'date' },
    { id: 't', type: 'time' },
    { id: 'f', type: 'file_upload' },
    { id: 'p', type: 'text' },
  ]);
  const data = { c: 'x', n: 3, m: { r: 'y' }, d: '2024-05-01', t: '10:30', p: 'text' };
  const responses = [newResponse(survey, { data }), newResponse(survey, { status: 'in_progress', data: { c: 'y' } })];
  const bytes = encodeCounts({ state, counts: countsOf(survey, responses) });

  /** Yields copies of a value, each with one part replaced. */
  function* mutationsOf(value: unknown, by: unknown): Generator<unknown> {
    yield by;
    if (value instanceof Map)
      for (const [key, one] of value)
        for (const other of mutationsOf(one, by)) yield new Map<unknown, unknown>([...value, [key, other]]);
    else if (Array.isArray(value))
      for (const [index, one] of value.entries())
        for (const other of mutationsOf(one, by)) yield value.with(index, other);
    else if (isObject(value) && !ArrayBuffer.isView(value))
      for (const [name, one] of Object.entries(value))
        for (const other of mutationsOf(one, by)) yield { ...value, [name]: other };
  }

  it('are rejected if any part has another type', () => {
    expect(decodeCounts(bytes).counts.questions.size).toBe(7);
    const mutations = [...mutationsOf(deserialize(bytes), null)];
    expect(mutations.length).toBeGreaterThan(50);
    for (const mutated of mutations) expect(() => decodeCounts(serialize(mutated))).toThrow('no counts');
  });

  it.each<[string, (encoded: Encoded) => object]>([
    ['a negative count', () => ({ state: { ...state, count: -1 } })],
    ['a fraction', () => ({ state: { ...state, count: 3.5 } })],
    [
      'a version with more responses than all',
      () => ({ versions: new Map([[1, { all: 9, completed: 9, counted: 9 }]]) }),
    ],
    ['more completed responses than all', () => ({ versions: new Map([[1, { all: 1, completed: 2, counted: 1 }]]) })],
    ['more answers than responses', () => ({ questions: [['p', 2, 2, { kind: 'presence' }]] })],
    ['an unknown kind', () => ({ questions: [['p', 1, 0, { kind: 'constructor' }]] })],
    [
      'lists of different lengths',
      ({ times }) => ({ times: { ...times, started: [new Int32Array(2), new Uint32Array(1)] } }),
    ],
  ])('are rejected if they have %s', (_, change) => {
    const encoded = deserialize(bytes) as Encoded;
    expect(() => decodeCounts(serialize({ ...encoded, ...change(encoded) }))).toThrow('no counts');
  });

  it('are rejected if they end early, or are something else', () => {
    for (let length = 0; length < bytes.length; length += 7)
      expect(() => decodeCounts(bytes.subarray(0, length))).toThrow();
    expect(() => decodeCounts(Buffer.from('{"state":{}}'))).toThrow();
  });
});
