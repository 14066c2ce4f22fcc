import { describe, expect, it } from 'vitest';
import { describeFindings } from '../surveys/use-survey.ts';
import { locateFindings } from './findings.tsx';
import { toJsonText } from './json-text.ts';

const problem = (path: string, code: string) => ({ path, code, detail: `about ${path}` });

describe('locateFindings', () => {
  it('finds the lines, and puts errors first', () => {
    const text = toJsonText({ survey: { title: 'T', pages: [{ questions: [{ id: 'q' }] }] } });
    const report = {
      valid: false,
      errors: [problem('/survey/pages/0/questions/0/type', 'MISSING_MEMBER')],
      warnings: [problem('/survey/title', 'MISSING_TRANSLATION')],
    };
    expect(locateFindings(text, report).map(({ line, severity, code }) => [line, severity, code])).toEqual([
      [7, 'error', 'MISSING_MEMBER'],
      [3, 'warning', 'MISSING_TRANSLATION'],
    ]);
  });
});

describe('describeFindings', () => {
  it.each([
    [0, 0, 'no errors or warnings'],
    [1, 0, '1 error'],
    [0, 2, '2 warnings'],
    [2, 1, '2 errors, 1 warning'],
  ])('describes %i errors and %i warnings', (errors, warnings, text) => {
    const some = (length: number) => Array.from({ length }, () => problem('', 'CODE'));
    expect(describeFindings({ errors: some(errors), warnings: some(warnings) })).toBe(text);
  });
});
