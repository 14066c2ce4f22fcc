import { toTenantId } from '@survey/runtime/auth/tenant-id';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkNotExpired, decodeFeedCursor, encodeFeedCursor } from './change-service.ts';

const survey = { tenantId: toTenantId('ours'), surveyId: 's' };
const stamps = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const position = { firstHorizon: 7n, stamp: 9n, id: 'r' };
const INVALID = expect.objectContaining({ code: 'INVALID_CURSOR' });

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decoded = (cursor: string): unknown[] => JSON.parse(Buffer.from(cursor, 'base64url').toString());
const [feed] = decoded(encodeFeedCursor(survey, position));

describe('a cursor of the change feed', () => {
  it('decodes to the position that it was made from', () => {
    fc.assert(
      fc.property(stamps, stamps, fc.string(), (firstHorizon, stamp, id) => {
        const given = { firstHorizon, stamp, id };
        expect(decodeFeedCursor(survey, encodeFeedCursor(survey, given))).toEqual(given);
      }),
    );
  });

  it('belongs to a survey of a tenant', () => {
    const cursor = encodeFeedCursor(survey, position);
    for (const other of [
      { ...survey, surveyId: 't' },
      { ...survey, tenantId: toTenantId('theirs') },
    ])
      expect(() => decodeFeedCursor(other, cursor)).toThrow(INVALID);
  });

  it.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['an object', encode({})],
    ['three parts', encode([feed, '1', '2'])],
    ['a number as stamp', encode([feed, 1, '2', 'r'])],
    ['a stamp with a leading zero', encode([feed, '01', '2', 'r'])],
    ['a negative stamp', encode([feed, '1', '-2', 'r'])],
    ['a stamp of more than 64 bits', encode([feed, '1', '18446744073709551616', 'r'])],
    ['an id that is no text', encode([feed, '1', '2', 3])],
    ['padding', `${encode([feed, '1', '2', 'r'])}=`],
  ])('is not %s', (_, cursor) => {
    expect(() => decodeFeedCursor(survey, cursor)).toThrow(INVALID);
  });
});

describe('the age of a cursor', () => {
  const at = (second: bigint) => second << 32n;
  const keptSince = new Date(100_000);
  const EXPIRED = expect.objectContaining({ code: 'CURSOR_EXPIRED' });

  it('counts from its last change', () => {
    expect(() => checkNotExpired({ firstHorizon: at(1n), stamp: at(99n), id: '' }, keptSince)).toThrow(EXPIRED);
    expect(() => checkNotExpired({ firstHorizon: at(1n), stamp: at(100n), id: '' }, keptSince)).not.toThrow();
  });

  it('counts from the first page while older responses are read', () => {
    expect(() => checkNotExpired({ firstHorizon: at(100n), stamp: at(1n), id: '' }, keptSince)).not.toThrow();
    expect(() => checkNotExpired({ firstHorizon: at(99n), stamp: 0n, id: '' }, keptSince)).toThrow(EXPIRED);
  });
});
