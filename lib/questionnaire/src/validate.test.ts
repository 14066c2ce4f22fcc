import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';
import { LIMITS } from './limits.ts';
import { surveyOf, surveyOfPages, textQuestion, yesNo } from './testing/survey-of.ts';

describe('validate', () => {
  const survey = compile(surveyOfPages([[yesNo('q1', { required: true })], [textQuestion('q2'), textQuestion('q3')]]));

  it('returns the answers in the order of the definition, without unanswered questions', () => {
    const { data } = survey.validate({ q3: 'c', q2: null, q1: 'yes' });
    expect(Object.entries(data)).toEqual([
      ['q1', 'yes'],
      ['q3', 'c'],
    ]);
  });

  it('reports one problem for each question, all at once', () => {
    expect(survey.validate({ q2: 2, 'a/b': 1 }).errors).toEqual([
      { path: '/data/a~1b', code: 'UNKNOWN_QUESTION', detail: 'the survey has no such question', question_id: 'a/b' },
      { path: '/data/q1', code: 'REQUIRED', detail: 'the question needs an answer', question_id: 'q1' },
      { path: '/data/q2', code: 'WRONG_TYPE', detail: 'the answer must be a string', question_id: 'q2' },
    ]);
  });

  it('returns the valid answers of a response with errors', () => {
    expect(survey.validate({ q1: 'yes', q2: 2 }).data).toEqual({ q1: 'yes' });
  });

  it('reports a required text that is blank', () => {
    const { validate } = compile(
      surveyOf([textQuestion('a', { required: true }), { id: 'b', type: 'textarea', required: true }]),
    );
    const { data, errors } = validate({ a: ' \u200b\u00a0', b: '\n\u2800' });
    expect(data).toEqual({});
    expect(errors.map(({ code, question_id }) => [code, question_id])).toEqual([
      ['REQUIRED', 'a'],
      ['REQUIRED', 'b'],
    ]);
  });

  it('does not require answers when partial, but checks those given', () => {
    expect(survey.validate({}, { partial: true }).errors).toEqual([]);
    expect(survey.validate({ q1: 'maybe' }, { partial: true }).errors).toMatchObject([{ code: 'UNKNOWN_OPTION' }]);
  });

  it('does not accept inherited names as question ids', () => {
    const codes = survey.validate(JSON.parse('{"q1":"yes","constructor":1,"__proto__":{"q2":"x"}}')).errors;
    expect(codes.map(({ code, path }) => [code, path])).toEqual([
      ['UNKNOWN_QUESTION', '/data/constructor'],
      ['UNKNOWN_QUESTION', '/data/__proto__'],
    ]);
  });

  it('accepts question ids such as __proto__', () => {
    const odd = compile(surveyOf([textQuestion('__proto__'), textQuestion('constructor', { required: true })]));
    expect(odd.validate({}).errors).toMatchObject([{ code: 'REQUIRED', question_id: 'constructor' }]);
    const { data, errors } = odd.validate(JSON.parse('{"__proto__":"a","constructor":"b"}'));
    expect(errors).toEqual([]);
    expect(JSON.stringify(data)).toBe('{"__proto__":"a","constructor":"b"}');
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  });

  it.each([null, undefined, 1, 'text', [], [1]])('rejects %j instead of answers', (data) => {
    expect(survey.validate(data)).toMatchObject({ data: {}, errors: [{ path: '/data', code: 'WRONG_TYPE' }] });
  });

  it('reports a bounded number of problems', () => {
    const data = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 1]));
    expect(survey.validate(data).errors).toHaveLength(LIMITS.problems);
  });

  it('never repeats the text of an answer', () => {
    const secret = 'my-secret';
    const all = compile(
      surveyOf(
        ['single_choice', 'multiple_choice', 'text', 'rating', 'likert', 'matrix', 'date', 'time', 'file_upload'].map(
          (type) => ({
            id: type,
            type,
            max_length: 1,
            options: type === 'rating' ? '1-5' : ['a'],
            rows: ['r'],
            columns: ['c'],
          }),
        ),
      ),
    );
    for (const value of [secret, [secret], { [secret]: secret }, { r: secret }, { option: secret, text: secret }]) {
      const data = Object.fromEntries(all.columns.map(({ question_id }) => [question_id, value]));
      const { errors } = all.validate(data);
      expect(errors.length).toBeGreaterThan(5);
      expect(JSON.stringify(errors)).not.toContain(secret);
    }
  });

  it('does not accept answers to a question without id', () => {
    const nameless = compile(surveyOf([{ type: 'text' }]));
    expect(nameless.validate({ undefined: 'x' }).errors).toMatchObject([{ code: 'UNKNOWN_QUESTION' }]);
  });

  it('uses the first of two questions with the same id', () => {
    const twice = compile(surveyOf([textQuestion('q'), yesNo('q', { required: true })]));
    expect(twice.validate({ q: 'anything' })).toMatchObject({ data: { q: 'anything' }, errors: [] });
  });
});
