import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, toPageQuery } from './page.ts';

const base64url = (text: string) => Buffer.from(text).toString('base64url');
const good = encodeCursor({ created_at: new Date(1_700_000_000_000), id: 'some-id' });

describe('a list request', () => {
  it('asks for the first 50 when it says nothing', () => {
    expect(toPageQuery({ cursor: '' })).toEqual({ limit: 50, cursor: undefined });
  });

  it('asks for what it says', () => {
    expect(toPageQuery({ limit: 7, cursor: good })).toEqual({ limit: 7, cursor: good });
  });
});

describe('a cursor', () => {
  it('comes back as the position that it was made from', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), fc.string({ minLength: 1, maxLength: 100 }), (created_at, id) => {
        expect(decodeCursor(encodeCursor({ created_at, id }))).toEqual({ created_at, id });
      }),
    );
  });

  it('is refused with a flipped, added or missing character', () => {
    for (let at = 0; at < good.length; at++) {
      const flipped = `${good.slice(0, at)}*${good.slice(at + 1)}`;
      expect(() => decodeCursor(flipped)).toThrow(expect.objectContaining({ reason: 'INVALID_CURSOR' }));
    }
    expect(() => decodeCursor(good.slice(0, -1))).toThrow(expect.objectContaining({ reason: 'INVALID_CURSOR' }));
  });

  it.each([
    ['nothing', ''],
    ['padding', `${good}=`],
    ['a space', ` ${good}`],
    ['a line feed', `${good}\n`],
    ['the standard alphabet', Buffer.from('[1,"??>"]').toString('base64')],
    ['text that is not JSON', base64url('hello')],
    ['null', base64url('null')],
    ['an object', base64url('{"0":1,"1":"a"}')],
    ['one part', base64url('[1]')],
    ['three parts', base64url('[1,"a","b"]')],
    ['a time that is text', base64url('["1","a"]')],
    ['a time with a fraction', base64url('[1.5,"a"]')],
    ['a time beyond dates', base64url('[8640000000000001,"a"]')],
    ['a time in another spelling', base64url('[1e3,"a"]')],
    ['negative zero', base64url('[-0,"a"]')],
    ['white space in JSON', base64url('[1, "a"]')],
    ['an empty id', base64url('[1,""]')],
    ['an id that is not text', base64url('[1,{"$gt":""}]')],
    ['an id that is too long', base64url(`[1,"${'a'.repeat(2_000)}"]`)],
    ['bytes that are not UTF-8', Buffer.from([0x5b, 0x31, 0x2c, 0x22, 0xff, 0x22, 0x5d]).toString('base64url')],
  ])('is refused: %s', (_, cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(expect.objectContaining({ reason: 'INVALID_CURSOR' }));
  });
});
