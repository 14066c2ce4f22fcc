import { describe, expect, it } from 'vitest';
import { checkShape } from '../check-shape.ts';
import { compile } from '../compile.ts';
import { EXAMPLE_SURVEY, exampleWith, lintCodesPage } from '../docs/lint-codes-page.ts';
import type { LintCase } from '../testing/lint-case.ts';
import { DEFINITION_CASES } from '../testing/lint-definition-cases.ts';
import { LOGIC_CASES, logicOf } from '../testing/lint-logic-cases.ts';
import { rule, surveyOf, surveyOfPages, textQuestion, yesNo } from '../testing/survey-of.ts';
import { LINT_CODES, type LintCode } from './lint-codes.ts';
import type { LintProblem } from './report.ts';

/** Missing cases for a code are a type error. */
const CASES: { readonly [Code in LintCode]: readonly LintCase[] } = { ...DEFINITION_CASES, ...LOGIC_CASES };

function problemsOf(definition: unknown): readonly LintProblem[] {
  const { errors, warnings } = compile(definition).lint;
  return [...checkShape(definition), ...errors, ...warnings];
}

describe.each(Object.entries(CASES))('%s', (code, cases) => {
  it.each(cases)('is reported for %s', (_, definition, path) => {
    expect(problemsOf(definition)).toContainEqual(expect.objectContaining({ code, path }));
  });
});

describe('the example of a code', () => {
  it('changes a survey without problems', () => expect(problemsOf(EXAMPLE_SURVEY)).toEqual([]));

  it.each(Object.entries(LINT_CODES))('has no problem but %s', (code, entry) => {
    const alongside = 'alongside' in entry ? [{ code: entry.alongside, path: entry.path }] : [];
    const problems = problemsOf(exampleWith(entry.example)).map(({ code, path }) => ({ code, path }));
    expect(problems).toEqual([...alongside, { code, path: entry.path }]);
  });

  it('is in the documentation', () => {
    const page = lintCodesPage();
    for (const [code, { text, example }] of Object.entries(LINT_CODES)) {
      const [, section = ''] = page.split(`\n## ${code}\n`);
      expect(section).toMatch(/^\n(?:Warning at|Error at [^,]+, (?:rejects storing|blocks publishing)\.)/);
      expect(section.split('\n## ')[0]).toContain(text);
      expect(section.split('\n## ')[0]).toContain(`\`\`\`json\n${example}\n`);
    }
    expect(page).toContain('\n## EMPTY_TITLE\n\nError at `/survey/title`, rejects storing. A survey or');
    expect(page).toContain('\n## NO_QUESTIONS\n\nError at `/survey/pages`, blocks publishing. The survey');
  });
});

describe('lint', () => {
  it('sorts problems by the level of their code', () => {
    for (const [, definition] of Object.values(CASES).flat()) {
      const { errors, warnings } = compile(definition).lint;
      expect(errors.filter(({ code }) => LINT_CODES[code].level !== 'error')).toEqual([]);
      expect(warnings.filter(({ code }) => LINT_CODES[code].level !== 'warning')).toEqual([]);
    }
  });

  it('finds nothing in a valid survey with all features', () => {
    const definition = surveyOfPages(
      [
        [
          yesNo('q1', { allow_other: true, title: { en: 'One', DE: 'Eins' } }),
          { id: 'q2', type: 'rating', options: '1-5' },
        ],
        [
          {
            id: 'q3',
            type: 'multiple_choice',
            options: [{ id: 'a', text: 'A', exclusive: true }, 'B'],
            max_selections: 2,
          },
          { id: 'q4', type: 'likert', options: ['no', 'yes'], rows: [] },
          { id: 'q5', type: 'file_upload', accept: ['image/*'], max_bytes: 10 },
        ],
      ],
      {
        supported_languages: ['en', 'de'],
        welcome_screen: { title: 'Hi' },
        sections: [{ id: 's', title: 'S', questions: ['q3', 'q4'] }],
        logic: [
          rule('s', 'show', 'q1', 'equals', 'other'),
          rule('q5', 'require', 'q2', 'greater_than', 3),
          { action: 'disqualify', conditions: [{ question_id: 'q1', operator: 'equals', value: 'no' }] },
        ],
      },
    );
    expect(problemsOf(definition)).toEqual([]);
  });

  it('reports all problems at once, with their questions', () => {
    const definition = surveyOf([
      { id: 'a', type: 'single_choice' },
      { id: 'b', type: 'text', pattern: '(' },
    ]);
    expect(problemsOf(definition).map(({ code, question_id }) => [code, question_id])).toEqual([
      ['MISSING_OPTIONS', 'a'],
      ['BAD_PATTERN', 'b'],
    ]);
  });

  it('names twenty missing languages and counts the others', () => {
    const languages = Array.from({ length: 26 }, (_, index) => `a${String.fromCharCode(97 + index)}`);
    const { warnings } = compile(surveyOf([], { supported_languages: languages, title: { ab: 'x' } })).lint;
    const named = languages.filter((language) => language !== 'ab').slice(0, 20);
    expect(warnings.map(({ detail }) => detail)).toEqual([
      `the text has no translation to ${named.join(', ')} and 5 more`,
    ]);
  });

  it('accepts language tags in another spelling', () => {
    const title = { 'EN-gb': 'A', pt_br: 'B' };
    expect(problemsOf(surveyOf([yesNo('q')], { supported_languages: ['en-GB', 'pt-BR'], title }))).toEqual([]);
  });

  it.each([
    [{ type: 'single_choice', options: [{ id: 'yes', text: 'Yes, of course' }, 'no'] }, ['yes', 'Yes, of course']],
    [
      { type: 'multiple_choice', options: ['a', 'b'] },
      [
        ['a', 'b'],
        ['b', 'a', 'b'],
      ],
    ],
    [{ type: 'text', format: 'number' }, [5, '5']],
  ])('finds no contradiction between forms of the same value for %j', (question, values) => {
    const conditions = values.map((value) => ({ source_question: 'q1', operator: 'equals', value }));
    const questions = [{ id: 'q1', ...question }, textQuestion('q2')];
    expect(problemsOf(surveyOf(questions, { logic: [{ question_id: 'q2', conditions }] }))).toEqual([]);
  });

  it('accepts require rules in both directions', () => {
    const logic = [rule('q1', 'require', 'q2', 'is_not_answered'), rule('q2', 'require', 'q1', 'is_not_answered')];
    expect(problemsOf(logicOf(...logic))).toEqual([]);
  });

  it('does not change the definition', () => {
    const definition = surveyOf([{ type: 'single_choice', options: ['b', 'a'] }]);
    const before = structuredClone(definition);
    compile(definition).validate({});
    expect(definition).toEqual(before);
  });
});
