import { compile } from '@survey/questionnaire/compile';
import { expect, it } from 'vitest';
import { createHeaderIndex } from './header-index.ts';

it('compares pieces of headings up to a number of characters, and whole headings always', () => {
  const questions = [
    { id: 'm', type: 'matrix', title: 'When?', rows: ['Soup', 'Rice'], columns: ['noon', 'night'], multiple: true },
  ];
  const payload = {
    schema_version: '1.0',
    version: 1,
    survey: { title: 'T', supported_languages: ['en'], pages: [{ questions }] },
  };
  const index = createHeaderIndex(payload, compile(payload));
  const namesOf = (heading: string) => index.find(heading).targets.map(({ name }) => name);
  expect(namesOf('When? - Soup - noon')).toEqual(['m[Soup][noon]']);
  for (let count = 0; count < 500; count += 1) namesOf(`When?: ${count} ${'x: y - z / w_b.c|'.repeat(110)}`);
  expect(namesOf('When? - Rice - night')).toEqual([]);
  expect(namesOf('When? - Soup - noon')).toEqual(['m[Soup][noon]']);
  expect(namesOf('m[Rice][night]')).toEqual(['m[Rice][night]']);
});
