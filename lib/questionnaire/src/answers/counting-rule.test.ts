import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';
import { surveyOf } from '../testing/survey-of.ts';
import type { AnswerValue } from './answer-value.ts';

const options = ['a', 'b'];

function countingRuleOf(question: object) {
  const [first] = compile(surveyOf([{ id: 'q', ...question }])).questions;
  if (first === undefined) throw new Error('the survey has no question');
  return first.countingRule;
}

describe('the counting rule', () => {
  it.each<[string, object, readonly string[], AnswerValue, readonly string[]]>([
    ['one option', { type: 'single_choice', options }, options, 'b', ['b']],
    [
      'an option of own wording',
      { type: 'single_choice', options, allow_other: true },
      ['a', 'b', 'other'],
      { option: 'other', text: 'mine' },
      ['other'],
    ],
    ['several options', { type: 'multiple_choice', options }, options, ['a', 'b'], ['a', 'b']],
    [
      'several with one of own wording',
      { type: 'multiple_choice', options, allow_other: true },
      ['a', 'b', 'other'],
      { options: ['a'], other: 'mine' },
      ['a', 'other'],
    ],
    ['an option of a scale', { type: 'likert', options }, options, 'a', ['a']],
  ])('is %s', (_, question, listed, answer, chosen) => {
    const countingRule = countingRuleOf(question);
    expect(countingRule).toMatchObject({ kind: 'choices', options: listed });
    expect(countingRule.kind === 'choices' && countingRule.chosen(answer)).toEqual(chosen);
  });

  it.each<[object, AnswerValue, readonly unknown[]]>([
    [{ type: 'likert', options, rows: ['r', 's'] }, { s: 'a' }, [['s', ['a']]]],
    [{ type: 'matrix', columns: options, rows: ['r', 's'] }, { r: 'b' }, [['r', ['b']]]],
    [{ type: 'matrix', columns: options, rows: ['r', 's'], multiple: true }, { r: ['a', 'b'] }, [['r', ['a', 'b']]]],
  ])('has the choices in each row of %j', (question, answer, chosen) => {
    const countingRule = countingRuleOf(question);
    expect(countingRule).toMatchObject({ kind: 'rows', rows: ['r', 's'], options });
    expect(countingRule.kind === 'rows' && countingRule.chosenByRow(answer)).toEqual(chosen);
  });

  it.each<[object, AnswerValue, number]>([
    [{ type: 'rating', min: 0, max: 1, step: 0.5 }, 0.5, 0.5],
    [{ type: 'text', format: 'number' }, '-1.5e2', -150],
    [{ type: 'text', format: 'integer' }, '+007', 7],
  ])('is the number of %j', (question, answer, number) => {
    const countingRule = countingRuleOf(question);
    expect(countingRule.kind === 'numbers' && countingRule.toNumber(answer)).toBe(number);
  });

  it('has the scale of a rating, and of no other number', () => {
    expect(countingRuleOf({ type: 'rating', min: 0, max: 0.3, step: 0.1 })).toMatchObject({
      scale: [0, 0.1, 0.2, 0.3],
    });
    expect(countingRuleOf({ type: 'rating', min: 0, max: 1_000 })).toMatchObject({ scale: undefined });
    expect(countingRuleOf({ type: 'text', format: 'number' })).not.toHaveProperty('scale');
  });

  it.each([
    ['date', 'dates'],
    ['time', 'times'],
  ])('has days or times of day for %s', (type, kind) => {
    expect(countingRuleOf({ type })).toEqual({ kind });
  });

  it('has the number of files', () => {
    const countingRule = countingRuleOf({ type: 'file_upload' });
    expect(countingRule.kind === 'files' && countingRule.fileCount([{ file_id: 'a' }, { file_id: 'b' }])).toBe(2);
  });

  it.each(['text', 'textarea'])('has only the presence of answers for %s', (type) => {
    expect(countingRuleOf({ type }).kind).toBe('presence');
  });
});
