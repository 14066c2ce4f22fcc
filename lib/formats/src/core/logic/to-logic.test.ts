import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ALWAYS,
  all,
  any,
  type Condition,
  condition,
  constantOf,
  type Formula,
  NEVER,
  not,
  toTerms,
} from './formula.ts';
import { type LogicRule, toLogic } from './to-logic.ts';
import { whereChosen } from './where-chosen.ts';

const OPTIONS = ['a', 'b', 'c'];

const surveyOf = (...pages: readonly (readonly JsonObject[])[]): JsonObject => ({
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'T',
    supported_languages: ['en'],
    sections: [{ id: 'group', question_ids: ['t'] }],
    pages: pages.map((questions) => ({ questions: [...questions] })),
  },
});
const choice = (id: string): JsonObject => ({ id, type: 'single_choice', title: id, options: OPTIONS });
const text = (id: string): JsonObject => ({ id, type: 'text', title: id });
const number = (id: string): JsonObject => ({ id, type: 'text', format: 'number', title: id });

const withLogic = (payload: JsonObject, logic: readonly JsonObject[]) =>
  compile({ ...payload, survey: { ...(payload['survey'] as JsonObject), logic: [...logic] } });

const isShown = (payload: JsonObject, logic: readonly JsonObject[], answers: JsonObject) =>
  'text:t' in
  Object.fromEntries(
    Object.keys(withLogic(payload, logic).validate({ ...answers, t: 'x' }).data).map((id) => [`text:${id}`, true]),
  );

const PAYLOAD = surveyOf([choice('s'), number('n'), text('w'), text('t')]);

type Answers = { readonly s?: string; readonly n?: string; readonly w?: string };

/** Evaluates a condition, independently of the code under test. */
function holds({ source, operator, value }: Condition, answers: Answers): boolean {
  const answer = answers[source as keyof Answers];
  if (operator === 'is_answered') return answer !== undefined;
  if (operator === 'is_not_answered') return answer === undefined;
  if (operator === 'not_equals') return answer === undefined || answer !== value;
  if (answer === undefined) return false;
  if (operator === 'greater_than') return Number(answer) > Number(value);
  if (operator === 'less_or_equal') return Number(answer) <= Number(value);
  if (operator === 'matches') return new RegExp(String(value)).test(answer);
  return answer === value;
}

function isTrue(formula: Formula, answers: Answers): boolean {
  switch (formula.kind) {
    case 'always':
    case 'never':
      return formula.kind === 'always';
    case 'condition':
      return holds(formula.condition, answers);
    case 'not':
      return !isTrue(formula.of, answers);
    case 'all':
      return formula.of.every((part) => isTrue(part, answers));
    case 'any':
      return formula.of.some((part) => isTrue(part, answers));
  }
}

const conditions = fc.constantFrom(
  ...OPTIONS.flatMap((id) => [condition('s', 'equals', id), condition('s', 'not_equals', id)]),
  condition('s', 'is_answered'),
  condition('n', 'greater_than', 3),
  condition('n', 'less_or_equal', 5),
  condition('n', 'is_not_answered'),
  condition('w', 'matches', '^a'),
  ALWAYS,
  NEVER,
);
const { formula: formulas } = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    conditions,
    tie('formula').map(not),
    fc.array(tie('formula'), { maxLength: 3 }).map((parts) => all(...parts)),
    fc.array(tie('formula'), { maxLength: 3 }).map((parts) => any(...parts)),
  ),
}));
const answers = fc.record(
  { s: fc.constantFrom(...OPTIONS), n: fc.constantFrom('2', '3', '4', '6'), w: fc.constantFrom('abc', 'cba') },
  { requiredKeys: [] },
);

describe('toLogic', () => {
  it('shows a question exactly if all of its rules hold, or reports why it cannot', () => {
    let converted = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(formulas, fc.boolean()), { minLength: 1, maxLength: 3 }),
        fc.array(answers, { minLength: 8, maxLength: 8 }),
        (whens, responses) => {
          const rules = whens.map(
            ([when, ofSection]): LogicRule => ({
              action: 'show',
              questions: ['t'],
              ...(ofSection ? { section: 'group' } : {}),
              when,
            }),
          );
          const { logic, unsupported } = toLogic(rules, PAYLOAD);
          expect(withLogic(PAYLOAD, logic).lint.errors).toEqual([]);
          const kept = rules.filter((rule) => !unsupported.some((one) => one.rule === rule));
          for (const { rule } of unsupported)
            expect(constantOf(rule.when) === false || JSON.stringify(rule.when).includes('matches')).toBe(true);
          converted += kept.length;
          for (const given of responses) {
            expect(isShown(PAYLOAD, logic, given)).toBe(kept.every(({ when }) => isTrue(when, given)));
          }
        },
      ),
      { numRuns: 500, seed: 8 },
    );
    expect(converted).toBeGreaterThan(500);
  });

  it('alternatives with one condition each become one entry', () => {
    const when = any(condition('s', 'equals', 'a'), condition('s', 'equals', 'b'));
    expect(toLogic([{ action: 'show', questions: ['t'], when }], PAYLOAD).logic).toEqual([
      {
        question_id: 't',
        match: 'any',
        conditions: [
          { source_question: 's', operator: 'equals', value: 'a', action: 'show' },
          { source_question: 's', operator: 'equals', value: 'b', action: 'show' },
        ],
      },
    ]);
  });

  it('requires a question if its rule holds', () => {
    const { logic } = toLogic([{ action: 'require', questions: ['t'], when: condition('s', 'equals', 'a') }], PAYLOAD);
    expect(withLogic(PAYLOAD, logic).validate({ s: 'a' }).errors).toMatchObject([{ code: 'REQUIRED' }]);
    expect(withLogic(PAYLOAD, logic).validate({ s: 'b' }).errors).toEqual([]);
  });

  it.each([
    [
      'a source on a later page',
      condition('late', 'is_answered'),
      'late is on a later page than t, which depends on it',
    ],
    ['an unknown source', condition('nope', 'is_answered'), 'the survey has no question nope'],
    ['an unknown option', condition('s', 'equals', 'z'), 'the question has no option z'],
    ['a question that depends on itself', condition('t', 'is_answered'), 't would depend on itself'],
    ['what never holds', all(condition('s', 'is_answered'), NEVER), 'it never holds'],
  ])('%s is not supported, with the reason, but other rules are', (_, when, reason) => {
    const payload = surveyOf([choice('s'), text('t'), text('u')], [text('late')]);
    const good: LogicRule = { action: 'show', questions: ['u'], when: condition('s', 'equals', 'a') };
    const bad: LogicRule = { action: 'show', questions: ['t'], when };
    const { logic, unsupported } = toLogic([bad, good], payload);
    expect(unsupported).toEqual([{ rule: bad, reason: expect.stringContaining(reason) }]);
    expect(logic).toHaveLength(1);
  });

  it('the last rule of each cycle is not supported', () => {
    const show = (target: string, source: string): LogicRule => ({
      action: 'show',
      questions: [target],
      when: condition(source, 'is_answered'),
    });
    const payload = surveyOf(['a', 'b', 'c', 'd'].map(text));
    const rules = [show('b', 'a'), show('c', 'b'), show('a', 'c'), show('d', 'a'), show('a', 'd')];
    const { logic, unsupported } = toLogic(rules, payload);
    expect(unsupported.map(({ rule }) => rules.indexOf(rule))).toEqual([2, 4]);
    expect(logic).toHaveLength(3);
  });

  it('a rule with too many alternatives is not supported', () => {
    const pairs = Array.from({ length: 12 }, (_, index) => [
      condition('s', 'equals', `a${index}`),
      condition('n', 'greater_than', index),
    ]);
    const when = all(all(...pairs.map((pair) => any(...pair))), any(...pairs.map((pair) => all(...pair))));
    const { unsupported } = toLogic([{ action: 'show', questions: ['t'], when }], PAYLOAD);
    expect(unsupported).toMatchObject([{ reason: 'it needs more than 100 alternatives or 500 conditions' }]);
  });

  it('conditions beyond the limit of a survey are not supported', () => {
    const rules = Array.from(
      { length: 5_002 },
      (_, index): LogicRule => ({
        action: 'show',
        questions: [`q${index % 900}`],
        when: condition('s', 'equals', 'a'),
      }),
    ).map((rule, index): LogicRule => ({ ...rule, action: 'require', when: condition('n', 'greater_than', index) }));
    const payload = surveyOf([
      choice('s'),
      number('n'),
      ...Array.from({ length: 900 }, (_, index) => text(`q${index}`)),
    ]);
    const { logic, unsupported } = toLogic(rules, payload);
    expect(logic).toHaveLength(5_000);
    expect(unsupported).toHaveLength(2);
  });

  it('lists of options beyond the size of a survey are not supported', () => {
    const options = Array.from({ length: 2_000 }, (_, index) => `option ${index}`);
    const texts = Array.from({ length: 100 }, (_, index) => text(`q${index}`));
    const payload = surveyOf([{ ...choice('s'), options }, text('t'), ...texts]);
    const rules = texts.map(({ id }): LogicRule => {
      const when = whereChosen('s', options, (option) => option !== undefined && Number(option.slice(7)) < 1_000);
      return { action: 'show', questions: [String(id)], when };
    });
    const { logic, unsupported } = toLogic(rules, payload);
    expect(JSON.stringify(logic).length).toBeLessThan(1_000_000);
    expect(logic.length).toBeGreaterThan(0);
    expect(unsupported.at(-1)).toMatchObject({ reason: 'the conditions of the survey take more than 786432 bytes' });
  });
});

describe('toTerms', () => {
  it('removes redundant alternatives', () => {
    const [a, b] = [condition('s', 'equals', 'a'), condition('w', 'is_answered')];
    expect(toTerms(any(all(a, b), a, a))).toEqual([[{ source: 's', operator: 'equals', value: 'a' }]]);
  });

  it('the opposite of a pattern is not supported', () => {
    expect(() => toTerms(not(condition('w', 'matches', 'x')))).toThrow('matches has no opposite');
  });
});

describe('whereChosen', () => {
  it('holds for the same options, and for no answer, as its predicate', () => {
    const all2 = [...OPTIONS, undefined];
    for (let set = 0; set < 16; set += 1) {
      const isIn = (id: string | undefined) => (set & (1 << all2.indexOf(id))) !== 0;
      const when = whereChosen('s', OPTIONS, isIn);
      const { logic, unsupported } = toLogic([{ action: 'show', questions: ['t'], when }], PAYLOAD);
      if (set === 0) expect(unsupported).toHaveLength(1);
      else for (const id of all2) expect(isShown(PAYLOAD, logic, id === undefined ? {} : { s: id })).toBe(isIn(id));
    }
  });
});
