import { SurveyService } from '@survey/proto/survey/surveys/v1/survey_service_pb';
import { describe, expect, it } from 'vitest';
import { createTestContext } from '../testing/test-context.ts';
import { markReplayed, readIdempotencyKey } from './idempotency-key.ts';

const contextOf = (headers: Record<string, string>) =>
  createTestContext(SurveyService.method.createSurvey, { headers });

describe('readIdempotencyKey', () => {
  it('takes 1 to 255 visible ASCII characters', () => {
    for (const key of ['k', '!~', 'x'.repeat(255)]) {
      expect(readIdempotencyKey(contextOf({ 'idempotency-key': key }))).toBe(key);
    }
    expect(readIdempotencyKey(contextOf({}))).toBeUndefined();
  });

  it.each(['', ' ', 'a b', 'é', 'x'.repeat(256), 'one, two'])('refuses %j', (key) => {
    const read = () => readIdempotencyKey(contextOf({ 'idempotency-key': key }));
    expect(read).toThrow(expect.objectContaining({ reason: 'INVALID_REQUEST' }));
  });
});

describe('markReplayed', () => {
  it('sets the header of a replay', () => {
    const context = contextOf({});
    markReplayed(context);
    expect(context.responseHeader.get('idempotency-replayed')).toBe('true');
  });
});
