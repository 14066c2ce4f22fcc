import { describe, expect, it } from 'vitest';
import { addConditions, hasConditions, readFragment, removeConditions, toFragment } from './where.ts';

const tea = { source_question: 'drink', operator: 'equals', value: 'tea' } as const;
const odd = { source: 'metadata.a', operator: 'contains', value: '100% "a&b=c" #?+\\ %25 ü😀' } as const;
const where = { match: 'any', conditions: [tea, odd] } as const;

describe('the fragment of an address', () => {
  it('keeps conditions, also if the router decodes it', () => {
    const fragment = toFragment({ ...where, conditions: [...where.conditions] });
    expect(fragment).toMatch(/^where=[\w%.~!*'()-]+$/);
    expect(readFragment(fragment)).toEqual(where);
    // The router decodes all but percent signs and backslashes.
    const decoded = fragment
      .split(/(%25|%5C)/)
      .map((part, index) => (index % 2 === 1 ? part : decodeURIComponent(part)))
      .join('');
    expect(decoded).not.toBe(fragment);
    expect(readFragment(decoded)).toEqual(where);
  });

  it('can have no conditions', () => {
    expect(toFragment(undefined)).toBe('');
    for (const fragment of ['', 'main', 'token=x']) expect(readFragment(fragment)).toBeUndefined();
    expect(readFragment(toFragment({ conditions: [tea] }))).toEqual({ match: 'all', conditions: [tea] });
  });

  it.each([
    '',
    '%',
    '7',
    '{}',
    '{"conditions":[]}',
    '{"conditions":[7]}',
    '{"match":"none","conditions":[{"source":"duration","operator":"equals","value":1}]}',
    '{"conditions":[{"source":"duration","operator":"like","value":1}]}',
    '{"conditions":[{"operator":"equals","value":1}]}',
    '{"conditions":[{"source":"duration","source_question":"a","operator":"equals","value":1}]}',
    JSON.stringify({ conditions: Array.from({ length: 51 }, () => tea) }),
  ])('can have unreadable conditions: %s', (text) => {
    expect(readFragment(`where=${text}`)).toBe('invalid');
  });
});

it('adds conditions once, and removes them', () => {
  const one = addConditions(undefined, [tea]);
  expect(one).toEqual({ match: 'all', conditions: [tea] });
  expect(addConditions(one, [{ ...tea }])).toEqual(one);
  const both = addConditions({ ...one, match: 'any' }, [odd]);
  expect(both).toEqual(where);
  expect([hasConditions({ ...both, match: 'all' }, [tea, odd]), hasConditions(one, [tea, odd])]).toEqual([true, false]);
  expect(removeConditions(both, [tea])).toEqual({ match: 'any', conditions: [odd] });
  expect(removeConditions(both, [odd, tea])).toBeUndefined();
});

it('adds a range, whose bounds hold together, to conditions that all hold, or to a single one', () => {
  const from = { source_question: 'age', operator: 'greater_or_equal', value: 20 } as const;
  const before = { source_question: 'age', operator: 'less_than', value: 30 } as const;
  const range = [from, before];
  expect(addConditions({ match: 'all', conditions: [tea, odd] }, range)).toEqual({
    match: 'all',
    conditions: [tea, odd, from, before],
  });
  const single = { match: 'all', conditions: [tea, from, before] };
  expect(addConditions({ match: 'any', conditions: [tea] }, range)).toEqual(single);
  const replaced = addConditions({ match: 'any', conditions: [tea, from] }, range);
  expect(replaced).toEqual({ match: 'all', conditions: range });
  expect(hasConditions(replaced, range)).toBe(true);
  expect(hasConditions({ match: 'any', conditions: range }, range)).toBe(false);
});
