import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompiledDefinition } from '../compiled-definition.ts';
import type { JsonObject } from '../json.ts';
import type { QuestionTypeName } from '../schema/question-schema.ts';
import { createStepCounter, type StepCounter } from '../testing/step-counter.ts';
import { rule, surveyOf } from '../testing/survey-of.ts';
import type { Operator } from './operators.ts';

/** Whether the steps on texts grow with the product, so that the lint and the validation limit them. */
const IS_LIMITED: Readonly<Record<Operator, boolean>> = {
  equals: false,
  not_equals: false,
  contains: true,
  not_contains: true,
  in: false,
  not_in: false,
  greater_than: false,
  greater_or_equal: false,
  less_than: false,
  less_or_equal: false,
  is_answered: false,
  is_not_answered: false,
  matches: true,
};

let counter: StepCounter;
let compile: (definition: unknown) => CompiledDefinition;

beforeAll(async () => {
  counter = await createStepCounter(/questionnaire\/src\/|re2js/);
  ({ compile } = await import('../compile.ts'));
});

afterAll(() => counter.close());

/** A definition of a size, and answers of a size to it. */
interface Growing {
  readonly name: string;
  define(size: number): JsonObject;
  answer(size: number): JsonObject;
}

const SIZE = 200;
const MAX_SIZE = 2 * SIZE;
const times = <Item>(count: number, make: (index: number) => Item) => Array.from({ length: count }, (_, i) => make(i));
const ids = (count: number) => times(count, (index) => `o${index}`);

type Use = (compiled: CompiledDefinition, data: JsonObject) => unknown;

/**
 * The steps that are made for each pair of a part of the definition and a part of the answers: what the steps grow if
 * both double, less what they grow if one does. It is near 0 for work that grows with the sum of both, and at least 1 for
 * a loop within a loop.
 */
async function stepsPerPair({ define, answer }: Growing, use: Use): Promise<number> {
  const count = async (definition: number, answers: number) => {
    const [compiled, data] = [compile(define(definition)), answer(answers)];
    use(compiled, data); // makes what is made on demand
    return counter.stepsOf(() => use(compiled, data));
  };
  const [both, one, other] = [
    await count(MAX_SIZE, MAX_SIZE),
    await count(MAX_SIZE, SIZE),
    await count(SIZE, MAX_SIZE),
  ];
  return (both - one - other + (await count(SIZE, SIZE))) / (SIZE * SIZE);
}

const USES: Readonly<Record<string, Use>> = {
  'a submit': ({ validate }, data) => validate(data),
  'an import': ({ validate }, data) => validate(data, { lenient: true, inactive: true }),
  'a page': ({ applyTo }, data) => applyTo(data),
  'an export': ({ validate, cellsFromAnswers }, data) => cellsFromAnswers(validate(data).data),
  'an import of an export': ({ columns, answersFromColumns }, data) => {
    const cells = Object.values(data).flatMap((answer) => (Array.isArray(answer) ? answer : [answer]));
    return answersFromColumns(Object.fromEntries(columns.map(({ name }, index) => [name, String(cells[index] ?? '')])));
  },
  'a summary': ({ validate, hiddenBy, questions }, data) => {
    const answers = validate(data).data;
    hiddenBy(answers);
    for (const { id, countingRule } of questions) {
      const answer = Object.hasOwn(answers, id) ? answers[id] : undefined;
      if (answer === undefined) continue;
      if (countingRule.kind === 'choices') countingRule.chosen(answer);
      if (countingRule.kind === 'rows') countingRule.chosenByRow(answer);
      if (countingRule.kind === 'numbers') countingRule.toNumber(answer);
      if (countingRule.kind === 'files') countingRule.fileCount(answer);
    }
  },
};

interface Source {
  readonly name: string;
  readonly members: JsonObject & { readonly type: QuestionTypeName };
  answer(size: number): unknown;
  value(index: number): unknown;
}

const options = ids(MAX_SIZE);
const SOURCES: readonly Source[] = [
  {
    name: 'a text',
    members: { type: 'textarea' },
    // Beginnings of the texts that are searched for.
    answer: (size) => `${'ax'.repeat(size / 2 - 1)}y`,
    value: (index) => `axax${index}`,
  },
  {
    name: 'a number as text',
    members: { type: 'text', format: 'number' },
    answer: (size) => '1'.repeat(size),
    value: (index) => index,
  },
  { name: 'a rating', members: { type: 'rating', max: 1_000 }, answer: (size) => size, value: (index) => index },
  { name: 'one choice', members: { type: 'single_choice', options }, answer: () => 'o7', value: (i) => `o${i}` },
  {
    name: 'several choices',
    members: { type: 'multiple_choice', options, allow_other: true },
    answer: (size) => ({ options: ids(size), other: 'x' }),
    value: (index) => `o${index}`,
  },
  {
    name: 'a date',
    members: { type: 'date' },
    answer: () => '2026-01-31',
    value: (index) => `20${String(index % 100).padStart(2, '0')}-01-31`,
  },
];

const TEXTS: readonly string[] = ['a text', 'a number as text'];

describe.each(SOURCES)('conditions on $name', ({ name, members, answer, value }) => {
  // Each condition has its own target: otherwise the first true one decides alone.
  const withLogic = (logic: readonly JsonObject[], more: JsonObject = {}) =>
    surveyOf([{ id: 'q', ...members, ...more }, ...logic.map((_, index) => ({ id: `t${index}`, type: 'text' }))], {
      logic,
    });

  it.each(Object.entries(IS_LIMITED))(
    '%s take steps for answer plus conditions, or have a limit',
    async (operator, hasLimit) => {
      const forms: readonly Growing[] = [
        {
          name: 'conditions',
          define: (size) => withLogic(times(size, (index) => rule(`t${index}`, 'hide', 'q', operator, value(index)))),
          answer: (size) => ({ q: answer(size) }),
        },
        {
          name: 'values of a condition',
          define: (size) => withLogic([rule('t0', 'hide', 'q', operator, times(size, value))]),
          answer: (size) => ({ q: answer(size) }),
        },
      ];
      for (const growing of forms) {
        if (compile(growing.define(1)).lint.errors.length > 0) continue; // the type has no such operator, or no lists
        const pairs = await stepsPerPair(growing, USES['a submit'] as Use);
        if (!hasLimit || !TEXTS.includes(name)) expect(pairs, growing.name).toBeLessThan(0.8);
        else {
          expect(pairs, growing.name).toBeGreaterThan(1);
          // Searching alone takes 3 to 6: an answer is folded once, not for each condition.
          if (operator !== 'matches') expect(pairs, growing.name).toBeLessThan(7);
          const logic = times(121, (index) => rule(`t${index}`, 'hide', 'q', operator, String(value(index))));
          const { errors } = compile(withLogic(logic, { max_length: 100_000 })).lint;
          expect(errors[0]).toMatchObject({ code: 'LIMIT_EXCEEDED', question_id: 'q' });
        }
      }
    },
  );
});

const choices = (size: number) => times(size, (index) => ({ id: `o${index}`, text: `Option ${index}` }));
const RULES: readonly Growing[] = [
  {
    name: 'options',
    define: (size) => surveyOf([{ id: 'q', type: 'multiple_choice', options: choices(size) }]),
    answer: (size) => ({ q: ids(size) }),
  },
  {
    name: 'options with a text of the respondent',
    define: (size) => surveyOf([{ id: 'q', type: 'multiple_choice', options: choices(size), allow_other: true }]),
    answer: (size) => ({ q: { options: ids(size).toReversed(), other: 'x' } }),
  },
  {
    name: 'repeated options',
    define: (size) => surveyOf([{ id: 'q', type: 'multiple_choice', options: choices(size) }]),
    answer: (size) => ({ q: [...ids(size), ...ids(size)] }),
  },
  {
    name: 'exclusive and inactive options',
    define: (size) => {
      const all = choices(size).map((option, index) => ({
        ...option,
        exclusive: index % 2 === 0,
        inactive: index === 1,
      }));
      return surveyOf([{ id: 'q', type: 'multiple_choice', options: all, min_selections: 2, max_selections: size }]);
    },
    answer: (size) => ({ q: ids(size) }),
  },
  {
    name: 'texts of options',
    define: (size) => surveyOf([{ id: 'q', type: 'multiple_choice', options: choices(size) }]),
    answer: (size) => ({ q: choices(size).map(({ text }) => text) }),
  },
  {
    name: 'rows of a likert',
    define: (size) => surveyOf([{ id: 'q', type: 'likert', options: ['a', 'b'], rows: choices(size) }]),
    answer: (size) => ({ q: Object.fromEntries(ids(size).map((id) => [id, 'a'])) }),
  },
  {
    name: 'rows of a matrix',
    define: (size) => {
      const lists = { rows: choices(size), columns: ['a', 'b'], required: true, required_rows: 1 };
      return surveyOf([{ id: 'q', type: 'matrix', multiple: true, ...lists }]);
    },
    answer: (size) => ({ q: Object.fromEntries(ids(size).map((id) => [id, ['a', 'b']])) }),
  },
  {
    name: 'columns of a matrix',
    define: (size) => surveyOf([{ id: 'q', type: 'matrix', multiple: true, rows: ['r'], columns: choices(size) }]),
    answer: (size) => ({ q: { r: ids(size) } }),
  },
  {
    name: 'files',
    define: (size) => surveyOf([{ id: 'q', type: 'file_upload', max_files: size, accept: ids(size) }]),
    answer: (size) => ({ q: ids(size).map((file_id) => ({ file_id })) }),
  },
  {
    name: 'questions and a text',
    define: (size) => surveyOf(times(size, (index) => ({ id: `q${index}`, type: 'textarea', min_length: 1 }))),
    answer: (size) => ({ q0: 'x'.repeat(size) }),
  },
  {
    name: 'questions and answers to others',
    define: (size) => surveyOf(times(size, (index) => ({ id: `q${index}`, type: 'text', required: true }))),
    answer: (size) => Object.fromEntries(ids(size).map((id) => [id, 'x'])),
  },
  {
    name: 'a scale',
    define: (size) => surveyOf([{ id: 'q', type: 'rating', options: times(size, (index) => index) }]),
    answer: (size) => ({ q: '1'.repeat(size) }),
  },
  {
    name: 'formats of texts',
    define: (size) =>
      surveyOf(
        times(size, (index) => {
          const format = ['email', 'url', 'phone', 'number', 'integer'][index % 5];
          return { id: `q${index}`, type: 'text', format };
        }),
      ),
    answer: (size) => Object.fromEntries(times(5, (index) => [`q${index}`, '1'.repeat(size)])),
  },
];

describe.each(RULES)('$name', (growing) => {
  it.each(Object.entries(USES))('take steps for answers plus definition in %s', async (_, use) => {
    expect(await stepsPerPair(growing, use)).toBeLessThan(0.8);
  });
});

it('a pattern has a limit for its size times the length of the text', () => {
  const pattern = `^(?:${'a?'.repeat(SIZE)})*b$`;
  const errorsFor = (max_length: number) =>
    compile(surveyOf([{ id: 'q', type: 'text', pattern, max_length }])).lint.errors;
  expect([errorsFor(1_000), errorsFor(100_000)]).toMatchObject([[], [{ code: 'BAD_PATTERN' }]]);
});
