import { expect, it } from 'vitest';
import { groupWarnings } from './warning-kinds.ts';

it('groups warnings by kind', () => {
  const of = (code: string, path: string) => ({ code, path, detail: 'x' });
  const kinds = groupWarnings([of('NOT_IMPORTED', '/a'), of('NEW_CODE', '/b'), of('NOT_IMPORTED', '/c')]);
  expect(kinds.map(({ code, meaning, warnings }) => [code, meaning !== undefined, warnings.length])).toEqual([
    ['NOT_IMPORTED', true, 2],
    ['NEW_CODE', false, 1],
  ]);
});
