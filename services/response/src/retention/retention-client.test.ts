import { create } from '@bufbuild/protobuf';
import { RetentionSchema } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { describe, expect, it } from 'vitest';
import { toRetention } from './module.ts';

const parse = (given: { state: string; retentionDays?: number }) =>
  toRetention(create(RetentionSchema, { surveyId: 's', tenantId: 't', ...given }));

describe('the retention of a survey', () => {
  it('is kept, with or without an end, or purged', () => {
    const survey = { surveyId: 's', tenantId: 't' };
    expect(parse({ state: 'kept' })).toEqual({ ...survey, state: 'kept', retentionDays: undefined });
    expect(parse({ state: 'kept', retentionDays: 30 })).toEqual({ ...survey, state: 'kept', retentionDays: 30 });
    expect(parse({ state: 'purged', retentionDays: 30 })).toEqual({ ...survey, state: 'purged' });
  });

  it.each([
    { state: '' },
    { state: 'gone' },
    { state: 'kept', retentionDays: 0 },
    { state: 'kept', retentionDays: -1 },
  ])('is rejected if it is invalid: %j', (given) => {
    expect(() => parse(given)).toThrow('The ');
  });
});
