import { describe, expect, it } from 'vitest';
import { newResponse } from '../testing/new-response.ts';
import { newDefinition } from '../testing/test-definition.ts';
import { toCorrectionRecord } from './response.ts';

const before = newResponse(newDefinition([]), { data: { a: 1, b: ['x'], c: 'gone' }, metadata: { source: 'qr' } });

describe('the record of a correction', () => {
  it('names changed, added and removed answers, without their values', () => {
    const after = { ...before, revision: 2, updatedAt: new Date(5), data: { a: 2, b: ['x'], d: 'secret' } };
    const record = toCorrectionRecord('user-1', before, after);
    expect(record).toEqual({
      revision: 2,
      correctedAt: new Date(5),
      correctedBy: 'user-1',
      questionIds: ['a', 'c', 'd'],
      metadataChanged: false,
      statusBefore: 'completed',
      statusAfter: 'completed',
    });
    expect(JSON.stringify(record)).not.toContain('secret');
  });

  it('has changes of metadata and status', () => {
    const after = { ...before, metadata: undefined, status: 'disqualified' } as const;
    expect(toCorrectionRecord('user-1', before, after)).toMatchObject({
      questionIds: [],
      metadataChanged: true,
      statusBefore: 'completed',
      statusAfter: 'disqualified',
    });
  });

  it('names at most a hundred questions', () => {
    const data = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`q${n}`, n]));
    expect(toCorrectionRecord('user-1', before, { ...before, data }).questionIds).toHaveLength(100);
  });
});
