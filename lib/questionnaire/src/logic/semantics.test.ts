import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';
import type { JsonObject } from '../json.ts';
import { rule, surveyOf, surveyOfPages, textQuestion, yesNo } from '../testing/survey-of.ts';

const compiled = (questions: readonly JsonObject[], ...logic: readonly JsonObject[]) =>
  compile(surveyOf(questions, { logic }));

const answered = (survey: ReturnType<typeof compile>, data: JsonObject) => Object.keys(survey.validate(data).data);
const codes = (survey: ReturnType<typeof compile>, data: JsonObject, options = {}) =>
  survey.validate(data, options).errors.map(({ code, question_id }) => `${code} ${question_id}`);

const q1 = yesNo('q1');
const q2 = textQuestion('q2');
const q3 = textQuestion('q3');
const target = textQuestion('t');

describe('1. visibility', () => {
  it('shows a question without a rule', () => {
    expect(answered(compiled([q1, target]), { t: 'x' })).toEqual(['t']);
  });

  it('shows a question when any of its show entries holds', () => {
    const survey = compiled(
      [q1, q2, target],
      rule('t', 'show', 'q1', 'equals', 'yes'),
      rule('t', 'show', 'q2', 'equals', 'on'),
    );
    expect(answered(survey, { t: 'x' })).toEqual([]);
    expect(answered(survey, { q1: 'yes', t: 'x' })).toEqual(['q1', 't']);
    expect(answered(survey, { q1: 'no', q2: 'on', t: 'x' })).toEqual(['q1', 'q2', 't']);
  });

  const both = [
    { source_question: 'q1', operator: 'equals', value: 'yes' },
    { source_question: 'q2', operator: 'equals', value: 'on' },
  ];

  it('asks for all conditions of an entry', () => {
    const survey = compiled([q1, q2, target], { question_id: 't', conditions: both });
    expect(answered(survey, { q1: 'yes', t: 'x' })).toEqual(['q1']);
    expect(answered(survey, { q1: 'yes', q2: 'on', t: 'x' })).toEqual(['q1', 'q2', 't']);
  });

  it('asks for one condition of an entry with match any', () => {
    const survey = compiled([q1, q2, target], { question_id: 't', match: 'any', conditions: both });
    expect(answered(survey, { q1: 'yes', t: 'x' })).toEqual(['q1', 't']);
    expect(answered(survey, { q1: 'no', t: 'x' })).toEqual(['q1']);
  });

  it('lets hide win over show', () => {
    const survey = compiled(
      [q1, q2, target],
      rule('t', 'show', 'q1', 'equals', 'yes'),
      rule('t', 'hide', 'q2', 'is_answered'),
    );
    expect(answered(survey, { q1: 'yes', t: 'x' })).toEqual(['q1', 't']);
    expect(answered(survey, { q1: 'yes', q2: 'on', t: 'x' })).toEqual(['q1', 'q2']);
  });

  it('hides and shows all questions of a section', () => {
    const survey = compile(
      surveyOf([q1, q2, q3], {
        sections: [{ id: 's', question_ids: ['q2', 'q3'] }],
        logic: [rule('s', 'hide', 'q1', 'equals', 'no')],
      }),
    );
    expect(answered(survey, { q1: 'no', q2: 'x', q3: 'x' })).toEqual(['q1']);
    expect(answered(survey, { q1: 'yes', q2: 'x', q3: 'x' })).toEqual(['q1', 'q2', 'q3']);
  });
});

describe('2. hidden means not required', () => {
  const survey = compiled([q1, textQuestion('t', { required: true })], rule('t', 'show', 'q1', 'equals', 'yes'));

  it('requires a question only while it is visible', () => {
    expect(codes(survey, { q1: 'no' })).toEqual([]);
    expect(codes(survey, { q1: 'yes' })).toEqual(['REQUIRED t']);
  });

  it('drops the answer to a hidden question, even one that is no answer at all', () => {
    expect(survey.validate({ q1: 'no', t: 'x' })).toMatchObject({ data: { q1: 'no' }, errors: [] });
    expect(survey.validate({ q1: 'no', t: 42 })).toMatchObject({ data: { q1: 'no' }, errors: [] });
  });

  it('refuses the answer to a hidden question under strict', () => {
    expect(codes(survey, { q1: 'no', t: 'x' }, { strict: true })).toEqual(['HIDDEN_QUESTION t']);
    expect(codes(survey, { q1: 'no', t: 42 }, { strict: true })).toEqual(['HIDDEN_QUESTION t']);
    expect(codes(survey, { q1: 'no', t: '' }, { strict: true })).toEqual([]);
  });
});

describe('3. a hidden source counts as unanswered', () => {
  const questions = [q1, textQuestion('q2'), textQuestion('q3'), target];
  const logic = [
    rule('q2', 'show', 'q1', 'equals', 'yes'),
    rule('q3', 'show', 'q2', 'is_answered'),
    rule('t', 'hide', 'q3', 'is_not_answered'),
  ];

  it('hides in cascade', () => {
    const survey = compiled(questions, ...logic);
    expect(answered(survey, { q1: 'no', q2: 'x', q3: 'x', t: 'x' })).toEqual(['q1']);
    expect(answered(survey, { q1: 'yes', q2: 'x', q3: 'x', t: 'x' })).toEqual(['q1', 'q2', 'q3', 't']);
  });

  it('does not depend on the order of entries or questions', () => {
    for (const order of [logic, logic.toReversed()]) {
      const survey = compiled(questions.toReversed(), ...order);
      expect(answered(survey, { q1: 'no', q2: 'x', q3: 'x', t: 'x' })).toEqual(['q1']);
    }
  });
});

describe('4. cycles are lint errors', () => {
  const cycles = (definition: JsonObject) =>
    compile(definition)
      .lint.errors.filter(({ code }) => code === 'LOGIC_CYCLE')
      .map(({ detail }) => detail.split(': ')[1]);

  it('spells a cycle out, from its first question on', () => {
    const logic = [
      rule('q3', 'show', 'q2', 'is_answered'),
      rule('q1', 'hide', 'q3', 'is_answered'),
      rule('q2', 'show', 'q1', 'is_answered'),
    ];
    expect(cycles(surveyOf([q1, q2, q3], { logic }))).toEqual(['q1 → q2 → q3 → q1']);
    expect(cycles(surveyOf([q1, q2, q3], { logic: logic.toReversed() }))).toEqual(['q1 → q2 → q3 → q1']);
  });

  it('finds a question that depends on itself', () => {
    expect(cycles(surveyOf([q1, q2], { logic: [rule('q2', 'show', 'q2', 'is_answered')] }))).toEqual(['q2 → q2']);
  });

  it('finds cycles through skip_to', () => {
    const skip = { ...rule('q1', 'skip_to', 'q2', 'is_answered'), target_question: 'q3' };
    expect(cycles(surveyOf([q1, q2, q3], { logic: [skip] }))).toEqual(['q2 → q2']);
  });

  it('finds cycles through sections', () => {
    const sections = [{ id: 's', questions: ['q1', 'q3'] }];
    const logic = [rule('s', 'show', 'q2', 'is_answered'), rule('q2', 'show', 'q3', 'is_answered')];
    expect(cycles(surveyOf([q1, q2, q3], { sections, logic }))).toEqual(['q2 → q3 → q2']);
  });

  it('reports each of several cycles', () => {
    const logic = ['q1', 'q2'].map((id) => rule(id, 'show', id, 'is_answered'));
    expect(cycles(surveyOf([q1, q2], { logic })).toSorted()).toEqual(['q1 → q1', 'q2 → q2']);
  });

  it('gives the rules of a cycle no effect, and keeps the others', () => {
    const logic = [
      rule('q2', 'show', 'q3', 'is_answered'),
      rule('q3', 'show', 'q2', 'is_answered'),
      rule('t', 'show', 'q2', 'is_answered'),
    ];
    const survey = compiled([q2, q3, target], ...logic);
    expect(answered(survey, { q3: 'x', t: 'x' })).toEqual(['q3']);
    expect(answered(survey, { q2: 'x', t: 'x' })).toEqual(['q2', 't']);
  });
});

describe('5. an unanswered source', () => {
  const cases: readonly (readonly [source: JsonObject, operator: string, value: unknown, visible: boolean])[] = [
    [{ type: 'text' }, 'equals', 'x', false],
    [{ type: 'text' }, 'not_equals', 'x', true],
    [{ type: 'text' }, 'contains', 'x', false],
    [{ type: 'text' }, 'not_contains', 'x', true],
    [{ type: 'text' }, 'in', ['x'], false],
    [{ type: 'text' }, 'not_in', ['x'], true],
    [{ type: 'rating' }, 'greater_than', 0, false],
    [{ type: 'rating' }, 'greater_or_equal', 0, false],
    [{ type: 'rating' }, 'less_than', 9, false],
    [{ type: 'rating' }, 'less_or_equal', 9, false],
    [{ type: 'text' }, 'matches', '', false],
    [{ type: 'text' }, 'is_answered', undefined, false],
    [{ type: 'text' }, 'is_not_answered', undefined, true],
  ];
  it.each(cases)('%j %s %j holds: %s', (source, operator, value, visible) => {
    const survey = compiled([{ id: 's', ...source }, target], rule('t', 'show', 's', operator, value));
    expect(survey.lint.errors).toEqual([]);
    expect(answered(survey, { t: 'x' })).toEqual(visible ? ['t'] : []);
  });
});

describe('6. answers are compared by the type of their question', () => {
  const choice = {
    type: 'single_choice',
    options: [
      { id: 'a', text: 'Red' },
      { id: 'b', text: { en: 'Blue', de: 'Blau' } },
    ],
    allow_other: true,
  };
  const choices = { ...choice, type: 'multiple_choice' };
  const other = { option: 'other', text: 'Green' };
  const cases: readonly (readonly [
    source: JsonObject,
    operator: string,
    value: unknown,
    answer: unknown,
    holds: boolean,
  ])[] = [
    [choice, 'equals', 'a', 'a', true],
    [choice, 'equals', 'a', 'b', false],
    [choice, 'equals', 'Red', 'a', true],
    [choice, 'equals', 'Blau', 'b', true],
    [choice, 'equals', 'other', other, true],
    [choice, 'not_equals', 'a', other, true],
    [choice, 'in', ['b', 'Red'], 'a', true],
    [choice, 'in', 'a', 'a', true],
    [choice, 'not_in', ['a', 'b'], other, true],
    [{ ...choice, options: ['1', '2'] }, 'equals', 1, '1', true],
    [{ type: 'likert', options: ['low', 'high'] }, 'equals', 'high', 'high', true],
    [choices, 'contains', 'a', ['a', 'b'], true],
    [choices, 'contains', 'Blue', ['a'], false],
    [choices, 'contains', 'other', { options: [], other: 'Green' }, true],
    [choices, 'not_contains', 'a', ['b'], true],
    [choices, 'equals', 'a', ['a'], true],
    [choices, 'equals', 'a', ['a', 'b'], false],
    [choices, 'equals', ['b', 'a'], ['a', 'b'], true],
    [choices, 'not_equals', ['a'], ['a', 'b'], true],
    [choices, 'in', ['a', 'other'], { options: ['b'], other: 'x' }, true],
    [choices, 'not_in', ['a'], ['a', 'b'], false],
    [{ type: 'rating', max: 10 }, 'equals', '4', 4, true],
    [{ type: 'rating', max: 10 }, 'greater_than', '9', 10, true],
    [{ type: 'rating', max: 10 }, 'greater_than', 10, 10, false],
    [{ type: 'rating', max: 10 }, 'greater_or_equal', 10, 10, true],
    [{ type: 'rating', max: 10 }, 'less_than', 10, 9, true],
    [{ type: 'rating', max: 10 }, 'less_or_equal', 9, 10, false],
    [{ type: 'rating', min: 0 }, 'equals', 0, 0, true],
    [{ type: 'rating', min: 0 }, 'is_answered', undefined, 0, true],
    [{ type: 'text', format: 'number' }, 'greater_than', 9, '10', true],
    [{ type: 'text', format: 'integer' }, 'equals', 7, '007', true],
    [{ type: 'date' }, 'greater_than', '2024-09-30', '2024-10-01', true],
    [{ type: 'date' }, 'less_or_equal', '2024-09-30', '2024-09-30', true],
    [{ type: 'time' }, 'equals', '09:30', '09:30:00', true],
    [{ type: 'time' }, 'greater_than', '09:30', '09:30:01', true],
    [{ type: 'text' }, 'equals', 'Straße', 'Straße', true],
    [{ type: 'text' }, 'equals', 'yes', 'Yes', false],
    [{ type: 'text' }, 'equals', 'e\u0301', '\u00e9', true],
    [{ type: 'text' }, 'equals', 7, '7', true],
    [{ type: 'text' }, 'contains', 'STRASSE', 'Hauptstraße 1', true],
    [{ type: 'text' }, 'contains', 'ΟΔΟΣ', 'οδος', true],
    [{ type: 'textarea' }, 'not_contains', 'spam', 'no SPAM here', false],
    [{ type: 'textarea' }, 'in', ['a', 'b'], 'b', true],
    [{ type: 'file_upload' }, 'is_answered', undefined, [{ file_id: 'f' }], true],
    [{ type: 'matrix', rows: ['r'], columns: ['c'] }, 'is_not_answered', undefined, { r: 'c' }, false],
  ];
  it.each(cases)('%j %s %j is for %j: %s', (source, operator, value, answer, holds) => {
    const survey = compiled([{ id: 's', ...source }, target], rule('t', 'show', 's', operator, value));
    expect(survey.lint.errors).toEqual([]);
    expect(survey.validate({ s: answer }).errors).toEqual([]);
    expect(answered(survey, { s: answer, t: 'x' }).includes('t')).toBe(holds);
  });
});

describe('7. patterns run in linear time', () => {
  it('matches anywhere in a text unless anchored', () => {
    const survey = (value: string) => compiled([q2, target], rule('t', 'show', 'q2', 'matches', value));
    expect(answered(survey('b+'), { q2: 'abbc', t: 'x' })).toEqual(['q2', 't']);
    expect(answered(survey('^b+$'), { q2: 'abbc', t: 'x' })).toEqual(['q2']);
  });

  it('runs a pattern that would take for ever by backtracking', () => {
    const survey = compiled([{ id: 'q2', type: 'textarea' }, target], rule('t', 'show', 'q2', 'matches', '^(a+)+$'));
    expect(answered(survey, { q2: `${'a'.repeat(19_999)}!`, t: 'x' })).toEqual(['q2']);
  });
});

describe('8. what logic names must exist and come first', () => {
  it('takes a source on the page of its target, also below it', () => {
    expect(compiled([target, q1], rule('t', 'show', 'q1', 'is_answered')).lint.errors).toEqual([]);
  });

  it('names the source and the target of a forward reference', () => {
    const logic = [rule('q1', 'require', 'q2', 'is_answered')];
    const { errors } = compile(surveyOfPages([[q1], [q2]], { logic })).lint;
    expect(errors).toEqual([
      {
        code: 'FORWARD_REFERENCE',
        path: '/survey/logic/0/conditions/0',
        detail: 'q2 is on a later page than q1, which depends on it',
        question_id: 'q1',
      },
    ]);
  });

  it('gives an entry of which something is broken no effect', () => {
    const conditions = [
      { source_question: 'q1', operator: 'equals', value: 'yes' },
      { source_question: 'nope', operator: 'is_answered' },
    ];
    expect(answered(compiled([q1, target], { question_id: 't', conditions }), { t: 'x' })).toEqual(['t']);
  });
});

describe('require', () => {
  const survey = compiled([q1, target], rule('t', 'require', 'q1', 'equals', 'yes'));
  it('requires a question while its conditions hold', () => {
    expect(codes(survey, { q1: 'yes' })).toEqual(['REQUIRED t']);
    expect(codes(survey, { q1: 'no' })).toEqual([]);
    expect(codes(survey, { q1: 'yes' }, { partial: true })).toEqual([]);
  });

  it('does not require a hidden question', () => {
    const logic = [rule('t', 'require', 'q1', 'equals', 'yes'), rule('t', 'hide', 'q1', 'equals', 'yes')];
    expect(codes(compiled([q1, target], ...logic), { q1: 'yes' })).toEqual([]);
  });
});

describe('skip_to', () => {
  const condition = { source_question: 'q1', operator: 'equals', value: 'no' };
  const all = { q1: 'no', q2: 'x', q3: 'x', t: 'x' };
  const questions = [q1, q2, q3, target];

  it('hides the questions strictly between the one that it leaves and the one it goes on with', () => {
    const survey = compiled(questions, {
      question_id: 'q1',
      target_question: 't',
      action: 'skip_to',
      conditions: [condition],
    });
    expect(answered(survey, all)).toEqual(['q1', 't']);
    expect(answered(survey, { ...all, q1: 'yes' })).toEqual(['q1', 'q2', 'q3', 't']);
  });

  it('leaves the last of its sources when no question to leave is named', () => {
    const conditions = [
      { question_id: 'q2', operator: 'is_answered' },
      { question_id: 'q1', operator: 'is_answered' },
    ].map((short) => ({ ...short, target_question: 't', action: 'skip_to' }));
    expect(answered(compiled(questions, { conditions }), all)).toEqual(['q1', 'q2', 't']);
  });

  it('goes on with the first question of a section', () => {
    const survey = compile(
      surveyOf(questions, {
        sections: [{ id: 's', questions: ['t', 'q3'] }],
        logic: [{ question_id: 'q1', target_question: 's', action: 'skip_to', conditions: [condition] }],
      }),
    );
    expect(answered(survey, all)).toEqual(['q1', 'q3', 't']);
  });
});

describe('disqualify', () => {
  const survey = compiled([q1, q2], {
    action: 'disqualify',
    conditions: [{ source_question: 'q1', operator: 'equals', value: 'no' }],
  });

  it('reports a response that is disqualified', () => {
    expect(survey.validate({ q1: 'no', q2: 'x' })).toEqual({
      data: { q1: 'no', q2: 'x' },
      errors: [],
      disqualified: true,
    });
    expect(survey.validate({ q1: 'yes' }).disqualified).toBe(false);
  });

  it('does not look at hidden answers', () => {
    const logic = [rule('q1', 'show', 'q2', 'equals', 'on'), rule('q2', 'disqualify', 'q1', 'equals', 'no')];
    expect(compiled([q2, q1], ...logic).validate({ q1: 'no' }).disqualified).toBe(false);
  });
});
