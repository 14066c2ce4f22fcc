import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, type ListScope, toListDigest, toPageQuery } from './page.ts';

const base64url = (text: string) => Buffer.from(text).toString('base64url');
const scope: ListScope = {
  collection: 'surveys',
  tenantId: 't1',
  filter: { status: { $in: ['draft', 'active'] }, created_at: { $gte: new Date(0) } },
  by: 'created_at',
  order: 'desc',
};
const list = toListDigest(scope);
const good = encodeCursor({ listDigest: list, time: new Date(1_700_000_000_000), id: 'some-id' });

describe('a list request', () => {
  it('asks for the first 50 by default', () => {
    expect(toPageQuery({ cursor: '' })).toEqual({ limit: 50, cursor: undefined });
  });

  it('passes limit and cursor', () => {
    expect(toPageQuery({ limit: 7, cursor: good })).toEqual({ limit: 7, cursor: good });
  });
});

describe('a cursor', () => {
  it('decodes to the position that it was made from', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.date({ noInvalidDate: true }),
        fc.string({ minLength: 1, maxLength: 100 }),
        (name, time, id) => {
          const position = { listDigest: name, time, id };
          expect(decodeCursor(encodeCursor(position), name)).toEqual(position);
        },
      ),
    );
  });

  it('is rejected with a flipped, added or missing character', () => {
    for (let at = 0; at < good.length; at++) {
      const flipped = `${good.slice(0, at)}*${good.slice(at + 1)}`;
      expect(() => decodeCursor(flipped, list)).toThrow(expect.objectContaining({ code: 'INVALID_CURSOR' }));
    }
    expect(() => decodeCursor(good.slice(0, -1), list)).toThrow(expect.objectContaining({ code: 'INVALID_CURSOR' }));
  });

  it.each([
    ['nothing', ''],
    ['padding', `${good}=`],
    ['a space', ` ${good}`],
    ['a line feed', `${good}\n`],
    ['the standard alphabet', Buffer.from(`["${list}",1,"??>"]`).toString('base64')],
    ['text that is not JSON', base64url('hello')],
    ['null', base64url('null')],
    ['an object', base64url(`{"0":"${list}","1":1,"2":"a"}`)],
    ['two parts', base64url(`["${list}",1]`)],
    ['four parts', base64url(`["${list}",1,"a","b"]`)],
    ['a list that is no text', base64url('[1,1,"a"]')],
    ['a time that is text', base64url(`["${list}","1","a"]`)],
    ['a time with a fraction', base64url(`["${list}",1.5,"a"]`)],
    ['a time beyond dates', base64url(`["${list}",8640000000000001,"a"]`)],
    ['a time in another spelling', base64url(`["${list}",1e3,"a"]`)],
    ['negative zero', base64url(`["${list}",-0,"a"]`)],
    ['white space in JSON', base64url(`["${list}",1, "a"]`)],
    ['an empty id', base64url(`["${list}",1,""]`)],
    ['an id that is not text', base64url(`["${list}",1,{"$gt":""}]`)],
    ['an id that is too long', base64url(`["${list}",1,"${'a'.repeat(2_000)}"]`)],
    ['bytes that are not UTF-8', Buffer.from(`["${list}",1,"\xff"]`, 'latin1').toString('base64url')],
  ])('is rejected: %s', (_, cursor) => {
    expect(() => decodeCursor(cursor, list)).toThrow(expect.objectContaining({ code: 'INVALID_CURSOR' }));
  });

  it.each<[string, Partial<ListScope>]>([
    ['of another collection', { collection: 'projects' }],
    ['of another tenant', { tenantId: 't2' }],
    ['by another time', { by: 'updated_at' }],
    ['in the other order', { order: 'asc' }],
    ['with another filter', { filter: { status: { $in: ['draft'] }, created_at: { $gte: new Date(0) } } }],
    ['with another time in the filter', { filter: { ...scope.filter, created_at: { $gte: new Date(1) } } }],
    ['without a filter', { filter: {} }],
  ])('is rejected in a list %s', (_case, change) => {
    expect(() => decodeCursor(good, toListDigest({ ...scope, ...change }))).toThrow(
      expect.objectContaining({ code: 'INVALID_CURSOR' }),
    );
  });

  it('does not depend on the order in the filter', () => {
    const filter = { created_at: { $gte: new Date(0) }, status: { $in: ['active', 'draft'] } };
    expect(toListDigest({ ...scope, filter })).toBe(list);
  });
});
