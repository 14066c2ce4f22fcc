import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';
import type { JsonObject } from '../json.ts';
import { rule, surveyOf, textQuestion, yesNo } from '../testing/survey-of.ts';

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

  it('hides the questions strictly between its start and its target', () => {
    const survey = compiled(questions, {
      question_id: 'q1',
      target_question: 't',
      action: 'skip_to',
      conditions: [condition],
    });
    expect(answered(survey, all)).toEqual(['q1', 't']);
    expect(answered(survey, { ...all, q1: 'yes' })).toEqual(['q1', 'q2', 'q3', 't']);
  });

  it('starts at its last source by default', () => {
    const conditions = [
      { question_id: 'q2', operator: 'is_answered' },
      { question_id: 'q1', operator: 'is_answered' },
    ].map((short) => ({ ...short, target_question: 't', action: 'skip_to' }));
    expect(answered(compiled(questions, { conditions }), all)).toEqual(['q1', 'q2', 't']);
  });

  it.each([[['q1', 'q2']], [['q2', 'q1']]])('starts after the last question of a section of %j', (ids) => {
    const survey = compile(
      surveyOf(questions, {
        sections: [{ id: 's', questions: ids }],
        logic: [{ question_id: 's', target_question: 't', action: 'skip_to', conditions: [condition] }],
      }),
    );
    expect(answered(survey, all)).toEqual(['q1', 'q2', 't']);
  });

  it('continues with the first question of a section', () => {
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

  it('reports a disqualified response', () => {
    expect(survey.validate({ q1: 'no', q2: 'x' })).toEqual({
      data: { q1: 'no', q2: 'x' },
      errors: [],
      disqualified: true,
    });
    expect(survey.validate({ q1: 'yes' }).disqualified).toBe(false);
  });

  it('does not report missing answers of a disqualified response', () => {
    const logic = {
      action: 'disqualify',
      conditions: [{ source_question: 'q1', operator: 'equals', value: 'no' }],
    };
    const survey = compiled([q1, { ...q2, required: true }], logic);
    expect(survey.validate({ q1: 'no' })).toEqual({ data: { q1: 'no' }, errors: [], disqualified: true });
    expect(survey.validate({ q1: 'yes' }).errors).toMatchObject([{ code: 'REQUIRED', question_id: 'q2' }]);
  });

  it('ignores hidden answers', () => {
    const logic = [rule('q1', 'show', 'q2', 'equals', 'on'), rule('q2', 'disqualify', 'q1', 'equals', 'no')];
    expect(compiled([q2, q1], ...logic).validate({ q1: 'no' }).disqualified).toBe(false);
  });
});
