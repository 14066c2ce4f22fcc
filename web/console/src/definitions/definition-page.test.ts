import { expect, it } from 'vitest';
import { definitionFileName } from './definition-page.tsx';

it('gives a draft and the version that it is based on different names', () => {
  expect(definitionFileName('s1', undefined, 3)).toBe('survey-s1-3.json');
  expect(definitionFileName('s1', 3, 3)).toBe('survey-s1-3.json');
  expect(definitionFileName('s1', 'draft', 3)).toBe('survey-s1-3-draft.json');
});
