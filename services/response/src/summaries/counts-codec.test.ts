import type { JsonObject } from '@bufbuild/protobuf';
import { anyData, anySurvey } from '@survey/questionnaire/testing/arbitraries';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Definition } from '../definitions/definition.ts';
import type { Response } from '../responses/response.ts';
import { newDefinition, newResponse } from '../testing/new-definition.ts';
import { decodeCounts, encodeCounts } from './counts-codec.ts';
import { createSurveyTally, type SurveyCounts } from './survey-tally.ts';
import { offsetsOf } from './time-zone.ts';

const state = { count: 3, changedMs: 9_007_199_254_740_993n };

function tallyOf({ version, compiled }: Definition) {
  return createSurveyTally(new Map([[version, compiled()]]), { maxListed: 1_000 });
}

function countsOf(survey: Definition, responses: readonly Response[]): SurveyCounts {
  const tally = tallyOf(survey);
  for (const response of responses) tally.add(response);
  return tally.counts();
}

function sumUp(survey: Definition, counts: SurveyCounts) {
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
        const decoded = decodeCounts(encodeCounts({ state, counts }));
        expect(decoded.state).toEqual(state);
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
