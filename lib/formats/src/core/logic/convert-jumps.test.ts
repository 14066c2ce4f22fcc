import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { convertJumps, type Jump, type Step } from './convert-jumps.ts';
import { ALWAYS, all, any, condition, not, unknown } from './formula.ts';

const choice = (id: string, ...options: string[]): JsonObject => ({
  id,
  type: 'single_choice',
  title: id,
  options: (options.length === 0 ? ['yes', 'no'] : options).map((option) => ({ id: option, text: option })),
});
const text = (id: string): JsonObject => ({ id, type: 'text', title: id });
const number = (id: string): JsonObject => ({ ...text(id), format: 'number' });
const several = (id: string): JsonObject => ({ ...choice(id, 'a', 'b'), type: 'multiple_choice' });
const step = (...questions: JsonObject[]): Step => ({ key: String(questions[0]?.['id']), questions });
const note = (key: string): Step => ({ key, questions: [] });
const jump = (from: string, to: string | undefined, when: Jump['when'] = ALWAYS): Jump => ({ from, to, when });
const is = (source: string, value: string | number) => condition(source, 'equals', value);
const tested = (source: string, operator: string, value?: unknown) => ({
  source_question: source,
  operator,
  ...(value === undefined ? {} : { value }),
  action: 'show',
});
const show = (id: string, ...conditions: object[]) => ({ question_id: id, conditions });

describe('jumps', () => {
  it('make no rule without a jump', () => {
    expect(convertJumps([step(choice('a')), step(text('b'))], [])).toEqual({
      logic: [],
      unproven: [],
      conditionalTexts: [],
    });
  });

  it('over a question show it for other answers; a question on all paths has no rule', () => {
    const steps = [step(choice('a')), step(text('b')), step(text('c'))];
    expect(convertJumps(steps, [jump('a', 'c', is('a', 'no'))])).toEqual({
      logic: [show('b', tested('a', 'not_equals', 'no'))],
      unproven: [],
      conditionalTexts: [],
    });
  });

  it('into branches that meet again show each branch by its own answer', () => {
    const steps = [step(choice('a', 'x', 'y', 'z')), step(text('b')), step(text('c')), step(text('d'))];
    const jumps = [jump('a', 'b', is('a', 'x')), jump('a', 'c', is('a', 'y')), jump('a', 'd'), jump('b', 'd')];
    expect(convertJumps(steps, jumps).logic).toEqual([
      show('b', tested('a', 'equals', 'x')),
      show('c', tested('a', 'equals', 'y')),
    ]);
  });

  it('to the end hide all later questions', () => {
    const steps = [step(choice('a')), step(choice('b')), step(text('c'))];
    const jumps = [jump('a', undefined, is('a', 'no')), jump('b', undefined, is('b', 'no'))];
    expect(convertJumps(steps, jumps).logic).toEqual([
      show('b', tested('a', 'not_equals', 'no')),
      show('c', tested('a', 'not_equals', 'no'), tested('b', 'not_equals', 'no')),
    ]);
  });

  it('omit conditions that an answer implies', () => {
    const steps = [step(choice('a')), step(choice('b')), step(text('c')), step(text('d'))];
    const jumps = [jump('a', 'd', is('a', 'no')), jump('b', 'c', is('b', 'yes')), jump('b', 'd')];
    expect(convertJumps(steps, jumps).logic).toEqual([
      show('b', tested('a', 'not_equals', 'no')),
      show('c', tested('b', 'equals', 'yes')),
    ]);
  });

  it('merge several answers to a question into one condition', () => {
    const steps = [step(choice('a', 'x', 'y', 'z')), step(text('b')), step(text('c'))];
    const jumps = [jump('a', 'c', any(is('a', 'x'), is('a', 'y')))];
    expect(convertJumps(steps, jumps).logic).toEqual([show('b', tested('a', 'not_in', ['x', 'y']))]);
  });

  it('compare numbers in ranges; no answer is in no range', () => {
    const steps = [step(number('a')), step(text('b')), step(text('c'))];
    const between = all(condition('a', 'greater_or_equal', 1), condition('a', 'less_than', 9));
    expect(convertJumps(steps, [jump('a', 'b', between), jump('a', 'c')]).logic).toEqual([
      show('b', tested('a', 'greater_or_equal', 1), tested('a', 'less_than', 9)),
    ]);
    expect(convertJumps(steps, [jump('a', 'c', between)]).logic).toEqual([
      {
        ...show('b', tested('a', 'less_than', 1), tested('a', 'greater_or_equal', 9), tested('a', 'is_not_answered')),
        match: 'any',
      },
    ]);
  });

  it('test each chosen option separately', () => {
    const steps = [step(several('a')), step(text('b')), step(text('c'))];
    const jumps = [jump('a', 'c', condition('a', 'contains', 'a'))];
    expect(convertJumps(steps, jumps).logic).toEqual([show('b', tested('a', 'not_contains', 'a'))]);
  });

  it('hide by a pattern, because patterns cannot be negated', () => {
    const steps = [step(text('a')), step(text('b')), step(text('c'))];
    const jumps = [jump('a', 'c', condition('a', 'matches', '^x'))];
    expect(convertJumps(steps, jumps).logic).toEqual([
      show('b', { source_question: 'a', operator: 'matches', value: '^x', action: 'hide' }),
    ]);
  });

  it('treat later questions as unanswered', () => {
    const steps = [step(text('a')), step(text('b')), step(choice('c'))];
    expect(convertJumps(steps, [jump('a', 'c', is('c', 'yes'))]).logic).toEqual([]);
    expect(convertJumps(steps, [jump('a', 'c', not(is('c', 'yes')))]).logic).toEqual([
      show('b', tested('a', 'is_answered'), tested('a', 'is_not_answered')),
    ]);
  });

  it('can start from a text; a skipped text is reported', () => {
    const steps = [step(choice('a')), note('n'), step(text('b')), step(text('c'))];
    const jumps = [jump('a', 'b', is('a', 'no')), jump('n', 'c')];
    expect(convertJumps(steps, jumps)).toEqual({
      logic: [show('b', tested('a', 'equals', 'no'))],
      unproven: [],
      conditionalTexts: ['n'],
    });
  });

  it('make the same rule for all questions of a step', () => {
    const steps = [step(choice('a')), step(text('b'), text('c')), step(text('d'))];
    expect(convertJumps(steps, [jump('a', 'd', is('a', 'no'))]).logic).toEqual([
      show('b', tested('a', 'not_equals', 'no')),
      show('c', tested('a', 'not_equals', 'no')),
    ]);
  });

  it('hide an unreachable question, unless there is no question before it', () => {
    const steps = [step(text('a')), step(text('b')), step(text('c'))];
    expect(convertJumps(steps, [jump('a', 'c')]).logic).toEqual([
      show('b', tested('a', 'is_answered'), tested('a', 'is_not_answered')),
    ]);
    expect(convertJumps([note('n'), step(text('b')), step(text('c'))], [jump('n', 'c')])).toMatchObject({
      logic: [],
      unproven: [{ step: 'b', reason: 'no path leads to it, and there is no question before it' }],
    });
  });

  it('hide a question that only an impossible answer leads to', () => {
    const steps = [step(text('z')), step(choice('a')), step(choice('b')), step(text('c')), step(text('d'))];
    const jumps = [jump('z', 'b'), jump('b', 'd', not(is('a', 'yes')))];
    expect(convertJumps(steps, jumps).logic).toEqual(
      [
        ['a', 'z'],
        ['c', 'b'],
      ].map(([id = '', by = '']) => show(id, tested(by, 'is_answered'), tested(by, 'is_not_answered'))),
    );
    const back = [jump('z', 'b'), jump('b', 'd', is('a', 'yes'))];
    expect(convertJumps(steps, back).logic).toHaveLength(1);
  });

  it('back make no rule for questions that are reached twice', () => {
    const steps = [step(text('z')), step(choice('a')), step(text('b')), step(choice('c')), step(text('d'))];
    const jumps = [jump('a', 'c', is('a', 'no')), jump('c', 'a', is('c', 'no'))];
    expect(convertJumps(steps, jumps)).toMatchObject({
      logic: [],
      unproven: ['b', 'd'].map((key) => ({ step: key, reason: 'a jump leads back, so it can be reached twice' })),
    });
  });

  it('with unknown conditions make no rule for dependent questions', () => {
    const steps = [step(text('a')), step(text('b')), step(choice('c')), step(text('d')), step(text('e'))];
    const jumps = [jump('a', 'c', unknown('it looks at a score')), jump('c', 'e', is('c', 'no'))];
    expect(convertJumps(steps, jumps)).toMatchObject({
      logic: [show('d', tested('c', 'not_equals', 'no'))],
      unproven: [{ step: 'b', reason: 'it looks at a score' }],
    });
  });

  it('on a question without a rule make no rule', () => {
    const steps = [step(text('a')), step(choice('b')), step(text('c')), step(text('d'))];
    const jumps = [jump('a', 'd', unknown('secret')), jump('b', 'd', is('b', 'no'))];
    expect(convertJumps(steps, jumps).unproven.map(({ step: key }) => key)).toEqual(['b', 'c']);
  });

  it.each([
    ['an option that there is not', choice('a'), is('a', 'maybe'), 'answers to a cannot be compared with "maybe"'],
    ['an invalid number', number('a'), is('a', 'many'), 'answers to a cannot be compared with "many"'],
    [
      'an order where there is none',
      choice('a'),
      condition('a', 'greater_than', 'yes'),
      'the operator greater_than is not supported for a',
    ],
    ['a question that there is not', choice('a'), is('x', 'yes'), 'there is no question x'],
  ])('on %s make no rule for dependent questions', (_, source, when, reason) => {
    const steps = [step(source), step(text('b')), step(text('c'))];
    expect(convertJumps(steps, [jump('a', 'c', when)]).unproven).toEqual([{ step: 'b', reason }]);
  });

  it('to a missing step make no rule for later questions', () => {
    const steps = [step(choice('a')), step(text('b'))];
    expect(convertJumps(steps, [jump('a', 'x', is('a', 'no'))])).toMatchObject({
      logic: [],
      unproven: [{ step: 'b', reason: 'a jump leads to x, which does not exist' }],
    });
  });

  it('with too many paths make no rule, in bounded time', () => {
    const sources = Array.from({ length: 40 }, (_, index) => step(choice(`a${index}`), choice(`b${index}`)));
    const left = any(...sources.map(({ key }) => is(key, 'yes')));
    const pairs = any(
      ...Array.from({ length: 40 }, (_, index) => all(is(`a${index}`, 'yes'), is(`b${(index * 11) % 40}`, 'yes'))),
    );
    const steps = [...sources, step(text('x')), step(text('y'))];
    const last = `a${sources.length - 1}`;
    expect(convertJumps(steps, [jump(last, 'y', left)]).logic).toHaveLength(1);
    expect(convertJumps(steps, [jump(last, 'y', pairs)])).toMatchObject({
      logic: [],
      unproven: ['x', 'y'].map((key) => ({ step: key, reason: 'too many paths lead to it' })),
    });
  });
});
