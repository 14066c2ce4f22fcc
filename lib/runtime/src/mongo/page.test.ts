import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, toPageQuery } from './page.ts';

const base64url = (text: string) => Buffer.from(text).toString('base64url');
const newestFirst = { by: 'created_at', order: 'desc' } as const;
const good = encodeCursor({ ...newestFirst, time: new Date(1_700_000_000_000), id: 'some-id' });

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
      fc.property(
        fc.constantFrom('created_at', 'updated_at'),
        fc.constantFrom('asc', 'desc'),
        fc.date({ noInvalidDate: true }),
        fc.string({ minLength: 1, maxLength: 100 }),
        (by, order, time, id) => {
          const position = { by, order, time, id };
          expect(decodeCursor(encodeCursor(position), { by, order })).toEqual(position);
        },
      ),
    );
  });

  it('is refused with a flipped, added or missing character', () => {
    for (let at = 0; at < good.length; at++) {
      const flipped = `${good.slice(0, at)}*${good.slice(at + 1)}`;
      expect(() => decodeCursor(flipped, newestFirst)).toThrow(expect.objectContaining({ reason: 'INVALID_CURSOR' }));
    }
    expect(() => decodeCursor(good.slice(0, -1), newestFirst)).toThrow(
      expect.objectContaining({ reason: 'INVALID_CURSOR' }),
    );
  });

  it.each([
    ['nothing', ''],
    ['padding', `${good}=`],
    ['a space', ` ${good}`],
    ['a line feed', `${good}\n`],
    ['the standard alphabet', Buffer.from('["created_at","desc",1,"??>"]').toString('base64')],
    ['text that is not JSON', base64url('hello')],
    ['null', base64url('null')],
    ['an object', base64url('{"0":"created_at","1":"desc","2":1,"3":"a"}')],
    ['three parts', base64url('["created_at","desc",1]')],
    ['five parts', base64url('["created_at","desc",1,"a","b"]')],
    [
      'a place in a list by another time',
      encodeCursor({ ...newestFirst, by: 'updated_at', time: new Date(1), id: 'a' }),
    ],
    [
      'a place in a list in the other order',
      encodeCursor({ ...newestFirst, order: 'asc', time: new Date(1), id: 'a' }),
    ],
    ['a place in a list in no order', base64url('["created_at","up",1,"a"]')],
    ['a place in a list by no time', base64url('["tenant_id","desc",1,"a"]')],
    ['a time that is text', base64url('["created_at","desc","1","a"]')],
    ['a time with a fraction', base64url('["created_at","desc",1.5,"a"]')],
    ['a time beyond dates', base64url('["created_at","desc",8640000000000001,"a"]')],
    ['a time in another spelling', base64url('["created_at","desc",1e3,"a"]')],
    ['negative zero', base64url('["created_at","desc",-0,"a"]')],
    ['white space in JSON', base64url('["created_at","desc",1, "a"]')],
    ['an empty id', base64url('["created_at","desc",1,""]')],
    ['an id that is not text', base64url('["created_at","desc",1,{"$gt":""}]')],
    ['an id that is too long', base64url(`["created_at","desc",1,"${'a'.repeat(2_000)}"]`)],
    ['bytes that are not UTF-8', Buffer.from('["created_at","desc",1,"\xff"]', 'latin1').toString('base64url')],
  ])('is refused: %s', (_, cursor) => {
    expect(() => decodeCursor(cursor, newestFirst)).toThrow(expect.objectContaining({ reason: 'INVALID_CURSOR' }));
  });
});
