import { create } from '@bufbuild/protobuf';
import { RetentionSchema } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { describe, expect, it } from 'vitest';
import { toRetention } from './retention-client.ts';

const told = (given: { state: string; retentionDays?: number }) =>
  toRetention(create(RetentionSchema, { surveyId: 's', tenantId: 't', ...given }));

describe('what the survey service says of a survey', () => {
  it('is that it is kept, with or without an end for its responses, or purged', () => {
    const survey = { surveyId: 's', tenantId: 't' };
    expect(told({ state: 'kept' })).toEqual({ ...survey, state: 'kept', retentionDays: undefined });
    expect(told({ state: 'kept', retentionDays: 30 })).toEqual({ ...survey, state: 'kept', retentionDays: 30 });
    expect(told({ state: 'purged', retentionDays: 30 })).toEqual({ ...survey, state: 'purged' });
  });

  it.each([
    { state: '' },
    { state: 'gone' },
    { state: 'kept', retentionDays: 0 },
    { state: 'kept', retentionDays: -1 },
  ])('deletes nothing when it is not clear: %j', (given) => {
    expect(() => told(given)).toThrow('The ');
  });
});
