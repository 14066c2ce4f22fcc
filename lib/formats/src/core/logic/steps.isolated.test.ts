import type { JsonObject } from '@bufbuild/protobuf';
import { createStepCounter, type StepCounter } from '@survey/questionnaire/testing/step-counter';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Jump, Step } from './convert-jumps.ts';
import type { LogicRule } from './convert-rules.ts';
import type { Condition, Formula } from './formula.ts';

let counter: StepCounter;
let convertRules: typeof import('./convert-rules.ts')['convertRules'];
let convertJumps: typeof import('./convert-jumps.ts')['convertJumps'];

beforeAll(async () => {
  counter = await createStepCounter(/formats\/src\/core\/logic\//);
  ({ convertRules } = await import('./convert-rules.ts'));
  ({ convertJumps } = await import('./convert-jumps.ts'));
});
afterAll(() => counter.close());

/** Twice as many alternatives are still less than the limit. */
const SIZE = 45;

const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));
const number = (id: string): JsonObject => ({ id, type: 'text', format: 'number', title: id });
const surveyOf = (questions: readonly JsonObject[]): JsonObject => ({
  schema_version: '1.0',
  version: 1,
  survey: { title: 'T', supported_languages: ['en'], pages: [{ questions: [...questions] }] },
});
const is = (source: string, operator: Condition['operator'], value?: Condition['value']): Formula => ({
  kind: 'condition',
  condition: { source, operator, ...(value === undefined ? {} : { value }) },
});
const show = (questions: readonly string[], when: Formula): LogicRule => ({ action: 'show', questions, when });
const options = times(4 * SIZE, (index) => ({ id: `o${index}`, text: `Option ${index}` }));
/** Three questions for conditions, and those that rules apply to. */
const survey = (size: number, more: readonly JsonObject[] = []) =>
  surveyOf([
    number('n'),
    { id: 's', type: 'single_choice', title: 's', options },
    { id: 'm', type: 'multiple_choice', title: 'm', options },
    ...more,
    ...times(size, (index) => number(`q${index}`)),
  ]);
const questionsOf = (size: number) => times(size, (index) => `q${index}`);

type Growing = (size: number) => readonly [rules: readonly LogicRule[], payload: JsonObject];

const FORMS: Readonly<Record<string, Growing>> = {
  'rules with a question each': (size) => [
    times(size, (index) => show([`q${index}`], is('n', 'greater_than', index))),
    survey(size),
  ],
  'rules that each follow from another': (size) => [
    times(size - 1, (index) => show([`q${index + 1}`], is(`q${index}`, 'greater_than', 1))),
    survey(size),
  ],
  'rules that lead back to the first question': (size) => [
    times(size, (index) => show([`q${(index + 1) % size}`], is(`q${index}`, 'greater_than', 1))),
    survey(size),
  ],
  'rules of questions beside the rule of their group': (size) => [
    [
      show(questionsOf(size), { kind: 'any', of: [is('n', 'greater_than', 1), is('s', 'equals', 'o1')] }),
      ...times(size, (index) => show([`q${index}`], is('m', 'contains', `o${index}`))),
    ],
    survey(size),
  ],
  'rules that are invalid': (size) => [
    times(size, (index) => show([`q${index}`], is('s', 'equals', `x${index}`))),
    survey(size),
  ],
  'rules that have no opposite': (size) => [
    times(size, (index) => show([`q${index}`], { kind: 'not', of: is('n', 'matches', `${index}`) })),
    survey(size),
  ],
  'alternatives on one question': (size) => [
    [show(['q0'], { kind: 'any', of: times(size, (index) => is('s', 'equals', `o${index}`)) })],
    survey(1),
  ],
  'values of a condition': (size) => [
    [
      show(
        ['q0'],
        is(
          's',
          'in',
          times(size, (index) => `o${index}`),
        ),
      ),
    ],
    survey(1),
  ],
  // Each range has as many cells as there are ranges, so a limit ends the conversion of so many.
  'ranges of numbers': (size) => [
    [
      show(['q0'], {
        kind: 'any',
        of: times(8 * size, (index) => ({
          kind: 'all',
          of: [is('n', 'greater_than', 3 * index), is('n', 'less_than', 3 * index + 1)],
        })),
      }),
    ],
    survey(1),
  ],
  'alternatives on many questions': (size) => [
    [show(['last'], { kind: 'any', of: questionsOf(size).map((id) => is(id, 'greater_than', 1)) })],
    surveyOf([...questionsOf(size), 'last'].map(number)),
  ],
  'parts that must all hold': (size) => [
    [
      show(['last'], {
        kind: 'all',
        of: times(size, (index) => ({
          kind: 'any',
          of: [is(`q${index}`, 'greater_than', 1), is(`q${(index * 7) % size}`, 'less_than', index)],
        })),
      }),
    ],
    surveyOf([...questionsOf(size), 'last'].map(number)),
  ],
  'choices of a question': (size) => [
    [show(['q0'], { kind: 'any', of: times(size, (index) => is('m', 'contains', `o${index}`)) })],
    survey(1),
  ],
};

async function growthOf(use: (size: number) => unknown): Promise<number> {
  use(2);
  const once = await counter.stepsOf(() => use(SIZE));
  return (await counter.stepsOf(() => use(2 * SIZE))) / once;
}

it.each(Object.keys(FORMS))('the steps of %s grow with their number', async (name) => {
  const form = FORMS[name] as Growing;
  expect(await growthOf((size) => convertRules(...form(size)))).toBeLessThan(2.3);
});

it('the steps of jumps grow with their number', async () => {
  const growth = await growthOf((size) => {
    const steps = times(size + 2, (index): Step => ({ key: `q${index}`, questions: [number(`q${index}`)] }));
    const jumps = times(
      size,
      (index): Jump => ({ from: `q${index}`, to: `q${index + 2}`, when: is(`q${index}`, 'equals', 1) }),
    );
    return convertJumps(steps, jumps);
  });
  expect(growth).toBeLessThan(2.3);
});
