import { randomUUID } from 'node:crypto';
import { SurveyService } from '@survey/proto/survey/surveys/v1/survey_service_pb';
import { MAX, NIL, v1, v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { createTestContext } from '../testing/rpc/test-context.ts';
import { markReplayed, readIdempotencyKey, readPublicIdempotencyKey, requesterOf } from './idempotency-key.ts';

const contextOf = (headers: Record<string, string>) =>
  createTestContext(SurveyService.method.createSurvey, { headers });

describe('readIdempotencyKey', () => {
  it('accepts 1 to 255 visible ASCII characters', () => {
    for (const key of ['k', '!~', 'x'.repeat(255)]) {
      expect(readIdempotencyKey(contextOf({ 'idempotency-key': key }))).toBe(key);
    }
    expect(readIdempotencyKey(contextOf({}))).toBeUndefined();
  });

  it.each(['', ' ', 'a b', 'é', 'x'.repeat(256), 'one, two'])('rejects %j', (key) => {
    const read = () => readIdempotencyKey(contextOf({ 'idempotency-key': key }));
    expect(read).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  });
});

describe('readPublicIdempotencyKey', () => {
  it('accepts random UUIDs', () => {
    for (const key of [randomUUID(), randomUUID().toUpperCase(), v7()])
      expect(readPublicIdempotencyKey(contextOf({ 'idempotency-key': key }))).toBe(key);
    expect(readPublicIdempotencyKey(contextOf({}))).toBeUndefined();
  });

  it.each(['table-4', 'x'.repeat(36), `{${randomUUID()}}`, v1(), NIL, MAX])('rejects %j', (key) => {
    const read = () => readPublicIdempotencyKey(contextOf({ 'idempotency-key': key }));
    expect(read).toThrow(expect.objectContaining({ code: 'IDEMPOTENCY_KEY_WEAK' }));
  });
});

describe('requesterOf', () => {
  const callOf = (actor: string, ...permissions: string[]) =>
    requesterOf({
      actor,
      caller: { service: 'gateway', tenantId: undefined, subject: actor, permissions: new Set(permissions) },
    });

  it('distinguishes users and permissions, regardless of the order of permissions', () => {
    expect(callOf('u', 'a', 'b')).toEqual(callOf('u', 'b', 'a'));
    expect(callOf('u', 'a')).not.toEqual(callOf('u', 'a', 'b'));
    expect(callOf('u', 'a')).not.toEqual(callOf('other', 'a'));
  });
});

describe('markReplayed', () => {
  it('sets the header of a replay', () => {
    const context = contextOf({});
    markReplayed(context);
    expect(context.responseHeader.get('idempotency-replayed')).toBe('true');
  });
});
