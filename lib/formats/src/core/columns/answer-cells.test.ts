import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitChoices } from './answer-cells.ts';
import { createItemFinder, longestText } from './header-index.ts';

const finder = (options: readonly unknown[]) => {
  const find = createItemFinder({ source: { options } });
  return (text: string) => find('options', text);
};
const find = finder([
  { id: 'mon', text: 'Monday' },
  { id: 'tue', text: { en: 'Tuesday', de: 'Dienstag' } },
  { id: 'wed', text: 'Wednesday, sometimes' },
  { id: 'some', text: 'sometimes' },
]);

it('no option is found by an empty text', () => {
  expect(
    finder([
      { id: 'a', text: '' },
      { id: 'b', text: ' ' },
    ])(''),
  ).toEqual([]);
});

describe('splitChoices', () => {
  it.each([
    ['Monday', ['mon'], []],
    ['mon;tue', ['mon', 'tue'], []],
    ['Monday, Tuesday', ['mon', 'tue'], []],
    ['monday|DIENSTAG', ['mon', 'tue'], []],
    ['Monday\r\nTuesday\n', ['mon', 'tue'], []],
    ['Monday, Wednesday, sometimes', ['mon', 'wed'], []],
    ['Wednesday, sometimes, sometimes', ['wed', 'some'], []],
    ['Wednesday, sometimes; Monday; Monday', ['wed', 'mon'], []],
    ['Monday, Sunday, at noon, Tuesday', ['mon', 'tue'], ['Sunday, at noon']],
    ['Wednesday', [], ['Wednesday']],
    [' , ;', [], []],
  ])('reads %j', (cell, ids, unknown) => {
    expect(splitChoices(cell, find)).toEqual({ ids, unknown });
  });

  it('leaves a text of two options unknown', () => {
    const two = finder([
      { id: 'a', text: 'X' },
      { id: 'b', text: 'X' },
    ]);
    expect(splitChoices('X,a', two)).toEqual({ ids: ['a'], unknown: ['X'] });
  });

  it('reads all options of any list, joined by any separator', () => {
    const anyText = fc.string({ unit: fc.constantFrom('a', 'b', ',', ';', ' '), minLength: 1 });
    fc.assert(
      fc.property(fc.uniqueArray(anyText, { maxLength: 6 }), fc.constantFrom(', ', ';', '|', '\n'), (texts, mark) => {
        const options = texts.map((text, index) => ({ id: `o${index}`, text: `x${text}${index}` }));
        const { ids, unknown } = splitChoices(options.map(({ text }) => text).join(mark), finder(options));
        expect(unknown).toEqual([]);
        expect(ids.toSorted()).toEqual(options.map(({ id }) => id).toSorted());
      }),
    );
  });

  it('takes a cell with very many pieces', () => {
    expect(splitChoices('x,'.repeat(50_000), find)).toMatchObject({ ids: [], unknown: [expect.any(String)] });
  });

  it('does not compare texts that are longer than any option', () => {
    const compared: string[] = [];
    const note = (text: string) => {
      compared.push(text);
      return find(text);
    };
    const cell = Array.from({ length: 150 }, () => 'x'.repeat(40)).join(', ');
    const longest = longestText({ source: { options: ['Wednesday, sometimes'] } }, 'options');
    splitChoices(cell, note, longest);
    expect(compared.length).toBeLessThan(400);
    expect(compared.filter((text) => text !== cell && text.length > longest)).toEqual([]);
    expect(splitChoices('Monday, Wednesday,   sometimes', find, longest)).toEqual({ ids: ['mon', 'wed'], unknown: [] });
  });
});
