import { describe, expect, it } from 'vitest';
import { Ambiguous, createFindOption, createWordingSample, isChosenWord, toUnknown } from './choices.ts';

const OPTIONS = [
  { id: 'a', code: '1', texts: ['3', 'three'] },
  { id: 'b', code: '2', texts: ['2'] },
  { id: 'c', code: '3', texts: ['One', 'three'] },
];

describe('the option of a cell', () => {
  const find = createFindOption();

  it.each([
    ['3', 'codes', 'c'],
    ['3', 'texts', 'a'],
    ['3', 'either', new Ambiguous(['a', 'c'])],
    ['2', 'either', 'b'],
    ['One', 'codes', undefined],
    ['1', 'texts', undefined],
    ['three', 'texts', new Ambiguous(['a', 'c'])],
    [' ONE <b>.</b>', 'texts', 'c'],
    ['constructor', 'either', undefined],
  ] as const)('finds %s, read as %s, by code or text', (cell, wording, found) => {
    expect(find(OPTIONS, cell, wording)).toEqual(found);
  });

  it.each([
    [[], 'otherwise', 'texts'],
    [['3', '2', 'no option'], 'otherwise', 'texts'],
    [['3', '1'], 'the cells', 'codes'],
    [['3', 'One'], 'the cells', 'texts'],
    [['1', 'One'], 'neither', 'either'],
  ] as const)('learns from the cells %j: %s', (cells, _case, wording) => {
    const sample = createWordingSample(find);
    for (const cell of cells) sample.look(OPTIONS, cell);
    expect(sample.wording('texts')).toBe(wording);
  });
});

it('a cell that names no option is never the id of one', () => {
  expect(toUnknown('x', OPTIONS)).toBe('x');
  expect(toUnknown('a', OPTIONS)).toEqual({ value: 'a' });
});

it.each([
  ['TRUE', true],
  [' oui', true],
  ['nein', false],
  ['Not selected', false],
  ['maybe', undefined],
])('the flag %j', (cell, isChosen) => {
  expect(isChosenWord(cell)).toBe(isChosen);
});
