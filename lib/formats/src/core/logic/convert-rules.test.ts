import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertRules, type LogicRule } from './convert-rules.ts';
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
  unknown,
  whereChosen,
} from './formula.ts';

const OPTIONS = ['a', 'b', 'c'];

const surveyOf = (...pages: readonly (readonly JsonObject[])[]): JsonObject => ({
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'T',
    supported_languages: ['en'],
    sections: [{ id: 'group', question_ids: ['t', 'u'] }],
    pages: pages.map((questions) => ({ questions: [...questions] })),
  },
});
const choice = (id: string): JsonObject => ({ id, type: 'single_choice', title: id, options: OPTIONS });
const text = (id: string): JsonObject => ({ id, type: 'text', title: id });
const number = (id: string): JsonObject => ({ id, type: 'text', format: 'number', title: id });

const withLogic = (payload: JsonObject, logic: readonly JsonObject[]) =>
  compile({ ...payload, survey: { ...(payload['survey'] as JsonObject), logic: [...logic] } });

/** Questions with answers, and three questions that rules apply to. Answers to `t` count in conditions, too. */
const PAYLOAD = surveyOf([
  choice('s'),
  { ...choice('m'), type: 'multiple_choice' },
  number('n'),
  text('w'),
  { id: 'd', type: 'date', title: 'd' },
  text('t'),
  text('u'),
  text('v'),
]);

type Answers = Readonly<Record<string, JsonValue>>;

/** Evaluates a condition, independently of the code under test. */
function holds({ source, operator, value = null }: Condition, answers: Answers): boolean {
  const answer = answers[source];
  const isIn = (values: JsonValue): boolean => {
    const wanted = Array.isArray(values) ? values : [values];
    return Array.isArray(answer)
      ? answer.some((one) => wanted.includes(one))
      : wanted.some((one) => String(one).trim() === answer);
  };
  const compared = source === 'n' ? Number(answer) : String(answer);
  const given = source === 'n' ? Number(value) : String(value);
  switch (operator) {
    case 'is_answered':
      return answer !== undefined;
    case 'is_not_answered':
      return answer === undefined;
    case 'not_equals':
      return answer === undefined || !isIn(value);
    case 'not_in':
      return answer === undefined || !isIn(value);
    case 'equals':
    case 'in':
      return answer !== undefined && isIn(value);
    case 'contains':
      return Array.isArray(answer) ? answer.includes(value) : String(answer ?? '').includes(String(value));
    case 'not_contains':
      return !(Array.isArray(answer) ? answer.includes(value) : String(answer ?? '').includes(String(value)));
    case 'matches':
      return answer !== undefined && new RegExp(String(value)).test(String(answer));
    case 'greater_than':
      return answer !== undefined && compared > given;
    case 'greater_or_equal':
      return answer !== undefined && compared >= given;
    case 'less_than':
      return answer !== undefined && compared < given;
    case 'less_or_equal':
      return answer !== undefined && compared <= given;
  }
}

function isTrue(formula: Formula, answers: Answers): boolean {
  switch (formula.kind) {
    case 'always':
    case 'never':
      return formula.kind === 'always';
    case 'condition':
      return holds(formula.condition, answers);
    case 'unknown':
      throw new Error('no answers decide it');
    case 'not':
      return !isTrue(formula.of, answers);
    case 'all':
      return formula.of.every((part) => isTrue(part, answers));
    case 'any':
      return formula.of.some((part) => isTrue(part, answers));
  }
}

const conditionOn = fc.constantFrom(
  ...OPTIONS.flatMap((id) => [condition('s', 'equals', id), condition('s', 'not_equals', id)]),
  condition('s', 'in', ['a', 'c']),
  condition('s', 'not_in', ['b', 'c']),
  condition('s', 'is_answered'),
  ...OPTIONS.flatMap((id) => [condition('m', 'contains', id), condition('m', 'not_contains', id)]),
  condition('m', 'in', ['a', 'b']),
  condition('m', 'is_not_answered'),
  condition('n', 'greater_than', 3),
  condition('n', 'less_or_equal', 5),
  condition('n', 'less_than', 3),
  condition('n', 'equals', '4'),
  condition('n', 'not_in', [2, 6]),
  condition('n', 'is_not_answered'),
  condition('w', 'matches', '^a'),
  condition('w', 'contains', 'b'),
  condition('w', 'equals', 'cba '),
  condition('d', 'greater_or_equal', '2024-02-01'),
  condition('d', 'equals', '2024-03-01'),
  condition('d', 'is_answered'),
  ALWAYS,
  NEVER,
);
const formulaOf = (leaf: fc.Arbitrary<Formula>) =>
  fc.letrec<{ formula: Formula }>((tie) => ({
    formula: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      tie('formula').map(not),
      fc.array(tie('formula'), { maxLength: 3 }).map((parts) => all(...parts)),
      fc.array(tie('formula'), { maxLength: 3 }).map((parts) => any(...parts)),
    ),
  })).formula;
const formula = formulaOf(conditionOn);
/** For questions after `t`. */
const laterFormula = formulaOf(
  fc.oneof(conditionOn, fc.constantFrom(condition('t', 'is_answered'), condition('t', 'equals', 'x'))),
);
const answers = fc.record(
  {
    s: fc.constantFrom(...OPTIONS),
    m: fc.subarray(OPTIONS, { minLength: 1 }),
    n: fc.constantFrom('1', '2', '3', '4', '5', '6'),
    w: fc.constantFrom('abc', 'cba', 'ccc'),
    d: fc.constantFrom('2024-01-31', '2024-02-01', '2024-03-01', '2024-04-01'),
    t: fc.constantFrom('x', 'y'),
  },
  { requiredKeys: [] },
);

const rule = (
  action: LogicRule['action'],
  questions: readonly string[],
  when: Formula,
  section?: string,
): LogicRule => ({
  action,
  questions,
  when,
  ...(section === undefined ? {} : { section }),
});
const rules = fc.array(
  fc.oneof(
    formula.map((when) => rule('show', ['t'], when)),
    formula.map((when) => rule('show', ['t', 'u'], when)),
    formula.map((when) => rule('show', ['t', 'u'], when, 'group')),
    laterFormula.map((when) => rule('show', ['u', 'v'], when)),
    laterFormula.map((when) => rule('require', ['v'], when)),
    formula.map((when) => rule('skip', ['t'], when)),
    formula.map((when) => rule('skip', ['t', 'u'], when)),
    laterFormula.map((when) => rule('skip', ['u', 'v'], when)),
    laterFormula.map((when) => rule('skip', ['v'], when)),
  ),
  { minLength: 1, maxLength: 4 },
);

/** The answers that remain, and whether `v` is required, as the rules say. */
function expected(kept: readonly LogicRule[], given: Answers) {
  const left: Record<string, JsonValue> = { ...given, u: 'x', v: 'x' };
  for (const id of ['t', 'u', 'v']) {
    const isShown = kept.every(({ action, questions, when }) => {
      if (!questions.includes(id) || action === 'require') return true;
      return isTrue(when, left) === (action === 'show');
    });
    if (!isShown) delete left[id];
  }
  const isRequired = kept.some(({ action, when }) => action === 'require' && isTrue(when, left));
  return { left: Object.keys(left).sort(), isRequired: isRequired && 'v' in left };
}

describe('convertRules', () => {
  it('shows, hides and requires questions for the same answers as the rules, or says which rules it cannot', () => {
    let [converted, unsupportedCount] = [0, 0];
    fc.assert(
      fc.property(rules, fc.array(answers, { minLength: 10, maxLength: 10 }), (given, responses) => {
        const { logic, unsupported } = convertRules(given, PAYLOAD);
        expect(withLogic(PAYLOAD, logic).lint.errors).toEqual([]);
        const kept = given.filter((one) => !unsupported.some((other) => other.rule === one));
        for (const { rule: one } of unsupported) {
          const isConstant = constantOf(one.when) === (one.action !== 'show');
          expect(isConstant || JSON.stringify(one.when).includes('matches')).toBe(true);
          if (!isConstant) unsupportedCount += 1;
        }
        converted += kept.length;
        const survey = withLogic(PAYLOAD, logic);
        for (const response of responses) {
          const { left, isRequired } = expected(kept, response);
          expect(Object.keys(survey.validate({ ...response, u: 'x', v: 'x' }).data).sort()).toEqual(left);
          const withoutV = survey.validate({ ...response, u: 'x' }).errors.map(({ code }) => code);
          expect(withoutV).toEqual(isRequired ? ['REQUIRED'] : []);
        }
      }),
      { numRuns: 500, seed: 8 },
    );
    expect(converted).toBeGreaterThan(800);
    expect(unsupportedCount).toBeLessThan(converted / 20);
  });

  it('alternatives with one condition each become one entry; values of one question, one condition', () => {
    const when = any(condition('s', 'equals', 'a'), condition('s', 'equals', 'b'), condition('n', 'greater_than', 3));
    expect(convertRules([rule('show', ['t'], when)], PAYLOAD).logic).toEqual([
      {
        question_id: 't',
        match: 'any',
        conditions: [
          { source_question: 's', operator: 'in', value: ['a', 'b'], action: 'show' },
          { source_question: 'n', operator: 'greater_than', value: 3, action: 'show' },
        ],
      },
    ]);
  });

  it.each([
    ['is_not_answered', all(...OPTIONS.map((id) => condition('s', 'not_equals', id)))],
    ['is_answered', any(...OPTIONS.map((id) => condition('s', 'equals', id)))],
  ] as const)('conditions on all options become %s', (operator, when) => {
    expect(convertRules([rule('show', ['t'], when)], PAYLOAD).logic).toEqual([
      { question_id: 't', conditions: [{ source_question: 's', operator, action: 'show' }] },
    ]);
  });

  it('removes redundant alternatives', () => {
    const [a, b] = [condition('s', 'equals', 'a'), condition('w', 'is_answered')];
    expect(convertRules([rule('show', ['t'], any(all(a, b), a, a))], PAYLOAD).logic).toEqual([
      { question_id: 't', conditions: [{ source_question: 's', operator: 'equals', value: 'a', action: 'show' }] },
    ]);
  });

  it('hides a question that no answers show, and shows one that all answers show', () => {
    const never = all(condition('s', 'equals', 'a'), condition('s', 'equals', 'b'));
    const { logic, unsupported } = convertRules([rule('show', ['t'], never), rule('show', ['u'], not(never))], PAYLOAD);
    expect(unsupported).toEqual([]);
    expect(logic).toHaveLength(1);
    expect(withLogic(PAYLOAD, logic).validate({ s: 'a', t: 'x', u: 'x' }).data).toEqual({ s: 'a', u: 'x' });
  });

  it('requires a question if its rule holds', () => {
    const { logic } = convertRules([rule('require', ['t'], condition('s', 'equals', 'a'))], PAYLOAD);
    expect(withLogic(PAYLOAD, logic).validate({ s: 'a' }).errors).toMatchObject([{ code: 'REQUIRED' }]);
    expect(withLogic(PAYLOAD, logic).validate({ s: 'b' }).errors).toEqual([]);
  });

  it('writes parts without an opposite as `show`, and others as `hide`, if a pattern allows no single form', () => {
    const matches = condition('w', 'matches', '^a');
    const { logic, unsupported } = convertRules(
      [rule('show', ['t'], all(matches, not(condition('w', 'matches', 'c$'))))],
      PAYLOAD,
    );
    expect(unsupported).toEqual([]);
    const survey = withLogic(PAYLOAD, logic);
    for (const [w, isShown] of [
      ['ab', true],
      ['abc', false],
      ['b', false],
    ] as const) {
      expect('t' in survey.validate({ w, t: 'x' }).data).toBe(isShown);
    }
  });

  it.each([
    [
      'a source on a later page',
      condition('late', 'is_answered'),
      'late is on a later page than t, which depends on it',
    ],
    ['an unknown source', condition('nope', 'is_answered'), 'the survey has no question nope'],
    ['an unknown option', condition('s', 'equals', 'z'), 'the question has no option z'],
    ['an order where there is none', condition('s', 'greater_than', 'a'), 'the type single_choice does not have'],
    ['a question that depends on itself', condition('t', 'is_answered'), 't would depend on itself'],
    ['what never holds', all(condition('s', 'is_answered'), NEVER), 'it never holds'],
    ['something else than answers', all(condition('s', 'is_answered'), unknown('it uses a score')), 'it uses a score'],
    [
      'two values of a pattern',
      any(
        all(condition('s', 'equals', 'a'), condition('u', 'matches', 'x')),
        all(condition('s', 'equals', 'b'), not(condition('u', 'matches', 'x'))),
      ),
      'matches has no opposite',
    ],
  ])('%s is not supported, with the reason, but other rules are', (_, when, reason) => {
    const payload = surveyOf([choice('s'), text('t'), text('u')], [text('late')]);
    const good = rule('show', ['u'], condition('s', 'equals', 'a'));
    const bad = rule('show', ['t'], when);
    const { logic, unsupported } = convertRules([bad, good], payload);
    expect(unsupported).toEqual([{ rule: bad, reason: expect.stringContaining(reason) }]);
    expect(logic).toHaveLength(1);
  });

  it('what does not matter need not be known', () => {
    const when = any(condition('s', 'equals', 'a'), all(unknown('it uses a score'), condition('s', 'equals', 'a')));
    expect(convertRules([rule('show', ['t'], when)], PAYLOAD)).toMatchObject({ logic: [{}], unsupported: [] });
  });

  it('the last rule of each cycle is not supported', () => {
    const show = (target: string, source: string) => rule('show', [target], condition(source, 'is_answered'));
    const payload = surveyOf(['a', 'b', 'c', 'd', 'e'].map(text));
    const given = [show('b', 'a'), show('c', 'b'), show('a', 'c'), show('d', 'a'), show('a', 'd'), show('e', 'd')];
    const { logic, unsupported } = convertRules(given, payload);
    expect(unsupported.map((one) => given.indexOf(one.rule))).toEqual([2, 4]);
    expect(logic).toHaveLength(4);
  });

  it('a rule for several questions that is invalid for one of them is written for none', () => {
    const payload = surveyOf([choice('s'), text('t')], [text('late'), text('u')]);
    const other = rule('show', ['u'], condition('s', 'equals', 'a'));
    const { logic, unsupported } = convertRules(
      [rule('show', ['t', 'u'], condition('late', 'is_answered')), other],
      payload,
    );
    expect(unsupported).toHaveLength(1);
    expect(logic).toEqual([expect.objectContaining({ question_id: 'u' })]);
  });

  it('a rule with too many alternatives is not supported', () => {
    const searches = Array.from({ length: 9 }, (_, index) => condition('w', 'contains', `${index}x`));
    const either = (one: Formula, other: Formula) => any(all(one, not(other)), all(not(one), other));
    const { unsupported } = convertRules([rule('show', ['t'], searches.reduce(either))], PAYLOAD);
    expect(unsupported).toMatchObject([{ reason: 'it needs more than 100 alternatives or 500 conditions' }]);
  });

  it('a rule whose diagrams take too many steps is not supported', () => {
    const payload = surveyOf([number('n'), number('o'), text('t'), text('u')]);
    const parts = Array.from({ length: 200 }, (_, value) =>
      any(condition('n', 'greater_than', value), condition('o', 'less_than', value)),
    );
    const { unsupported } = convertRules([rule('require', ['t'], all(...parts))], payload);
    expect(unsupported).toMatchObject([{ reason: 'its conditions are too complex together' }]);
  });

  it('many alternatives with conditions on many questions are supported', () => {
    const numbers = Array.from({ length: 40 }, (_, index) => number(`n${index}`));
    const payload = surveyOf([...numbers, text('t'), text('u')]);
    const above = (index: number, value: number) => condition(`n${index % 40}`, 'greater_than', value);
    const pairs = Array.from({ length: 60 }, (_, index) => [above(index, index), above(index * 7 + 3, index * 5)]);
    const some = any(...pairs.map((pair) => all(...pair)));
    const every = all(...pairs.map((pair) => any(...pair)));
    for (const when of [some, every, not(some)]) {
      const { unsupported } = convertRules([rule('show', ['t'], when)], payload);
      expect(unsupported.map(({ reason }) => reason)).toEqual([]);
    }
  });

  it('conditions beyond the limit of a survey are not supported', () => {
    const given = Array.from({ length: 5_002 }, (_, index) =>
      rule('require', [`q${index % 900}`], condition('n', 'greater_than', index)),
    );
    const payload = surveyOf([
      choice('s'),
      number('n'),
      ...Array.from({ length: 900 }, (_, index) => text(`q${index}`)),
    ]);
    const { logic, unsupported } = convertRules(given, payload);
    expect(logic).toHaveLength(5_000);
    expect(unsupported).toHaveLength(2);
  });

  it.each(['option', 'вариан'])('lists of options beyond the size of a survey are not supported: %s', (name) => {
    const options = Array.from({ length: 2_000 }, (_, index) => `${name} ${index}`);
    const texts = Array.from({ length: 100 }, (_, index) => text(`q${index}`));
    const payload = surveyOf([{ ...choice('s'), options }, text('t'), text('u'), ...texts]);
    const given = texts.map(({ id }) => {
      const when = whereChosen('s', options, (option) => option !== undefined && Number(option.slice(7)) < 1_000);
      return rule('show', [String(id)], when);
    });
    const { logic, unsupported } = convertRules(given, payload);
    expect(Buffer.byteLength(JSON.stringify(logic))).toBeLessThan(1_000_000);
    expect(logic.length).toBeGreaterThan(0);
    expect(unsupported.at(-1)).toMatchObject({ reason: 'the conditions of the survey take more than 786432 bytes' });
  });

  it('a skip from the first question on is not supported', () => {
    const skip = rule('skip', ['s', 'm'], condition('n', 'equals', '4'));
    expect(convertRules([skip], PAYLOAD)).toEqual({
      logic: [],
      unsupported: [{ rule: skip, reason: 'no question comes before the skipped ones' }],
    });
  });

  it('skips that affect too many questions are not supported', () => {
    const texts = Array.from({ length: 990 }, (_, index) => text(`q${index}`));
    const payload = surveyOf([number('n'), text('t'), text('u'), ...texts]);
    const given = Array.from({ length: 110 }, (_, index) =>
      rule(
        'skip',
        texts.map(({ id }) => String(id)),
        condition('n', 'equals', index),
      ),
    );
    const { logic, unsupported } = convertRules(given, payload);
    expect(withLogic(payload, logic).lint.errors).toEqual([]);
    expect(unsupported.length).toBeGreaterThan(0);
    expect(unsupported[0]).toMatchObject({ reason: 'the survey has more logic than is allowed' });
  });
});

describe('whereChosen', () => {
  it('holds for the same options, and for no answer, as its predicate', () => {
    const all2 = [...OPTIONS, undefined];
    for (let set = 0; set < 16; set += 1) {
      const isIn = (id: string | undefined) => (set & (1 << all2.indexOf(id))) !== 0;
      const when = whereChosen('s', OPTIONS, isIn);
      const { logic, unsupported } = convertRules([rule('show', ['t'], when)], PAYLOAD);
      const survey = withLogic(PAYLOAD, logic);
      if (set === 0) expect(unsupported).toHaveLength(1);
      else for (const id of all2) expect('t' in survey.validate({ ...(id && { s: id }), t: 'x' }).data).toBe(isIn(id));
    }
  });
});
