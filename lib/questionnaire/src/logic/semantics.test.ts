import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';
import type { JsonObject } from '../json.ts';
import { rule, surveyOf, surveyOfPages, textQuestion, yesNo } from '../testing/survey-of.ts';

function compiled(questions: readonly JsonObject[], ...logic: readonly JsonObject[]) {
  return compile(surveyOf(questions, { logic }));
}

function answered(survey: ReturnType<typeof compile>, data: JsonObject) {
  return Object.keys(survey.validate(data).data);
}
function codes(survey: ReturnType<typeof compile>, data: JsonObject, options = {}) {
  return survey.validate(data, options).errors.map(({ code, question_id }) => `${code} ${question_id}`);
}

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

  it('needs all conditions of an entry', () => {
    const survey = compiled([q1, q2, target], { question_id: 't', conditions: both });
    expect(answered(survey, { q1: 'yes', t: 'x' })).toEqual(['q1']);
    expect(answered(survey, { q1: 'yes', q2: 'on', t: 'x' })).toEqual(['q1', 'q2', 't']);
  });

  it('needs one condition of an entry with match any', () => {
    const survey = compiled([q1, q2, target], { question_id: 't', match: 'any', conditions: both });
    expect(answered(survey, { q1: 'yes', t: 'x' })).toEqual(['q1', 't']);
    expect(answered(survey, { q1: 'no', t: 'x' })).toEqual(['q1']);
  });

  it('prefers hide to show', () => {
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

  it('drops the answer to a hidden question, even an invalid one', () => {
    expect(survey.validate({ q1: 'no', t: 'x' })).toMatchObject({ data: { q1: 'no' }, errors: [] });
    expect(survey.validate({ q1: 'no', t: 42 })).toMatchObject({ data: { q1: 'no' }, errors: [] });
  });

  it('rejects the answer to a hidden question in strict mode', () => {
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

  it('lists the questions of a cycle, starting with the first', () => {
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

  it('ignores the rules of a cycle and keeps the others', () => {
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

describe('7. patterns run in linear time', () => {
  it('matches anywhere in a text unless anchored', () => {
    const survey = (value: string) => compiled([q2, target], rule('t', 'show', 'q2', 'matches', value));
    expect(answered(survey('b+'), { q2: 'abbc', t: 'x' })).toEqual(['q2', 't']);
    expect(answered(survey('^b+$'), { q2: 'abbc', t: 'x' })).toEqual(['q2']);
  });

  it('runs a pattern for which backtracking takes exponential time', () => {
    const survey = compiled([{ id: 'q2', type: 'textarea' }, target], rule('t', 'show', 'q2', 'matches', '^(a+)+$'));
    expect(answered(survey, { q2: `${'a'.repeat(19_999)}!`, t: 'x' })).toEqual(['q2']);
  });
});

describe('8. logic refers to existing, earlier questions', () => {
  it('accepts a source on the same page as its target, including below it', () => {
    expect(compiled([target, q1], rule('t', 'show', 'q1', 'is_answered')).lint.errors).toEqual([]);
  });

  it('reports the source and the target of a forward reference', () => {
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

  it('ignores an invalid entry', () => {
    const conditions = [
      { source_question: 'q1', operator: 'equals', value: 'yes' },
      { source_question: 'nope', operator: 'is_answered' },
    ];
    expect(answered(compiled([q1, target], { question_id: 't', conditions }), { t: 'x' })).toEqual(['t']);
  });
});
