import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import fc from 'fast-check';
import { SurveyModel } from 'survey-core';
import { describe, expect, inject, it } from 'vitest';
import { fileOf } from '../files/import-file.ts';
import { createWarnOnce } from '../files/report.ts';
import { DETECT_ALL } from '../tables/table-options.ts';
import { createAnswerReader } from './answers.ts';
import { readSurveyjsSurvey } from './survey.ts';

const RUNS = inject('testScope') === 'all' ? 120 : 40;

interface Kind {
  readonly element: JsonObject;
  readonly answers: readonly JsonValue[];
  /** Expressions on the question, with `$` for its name. */
  readonly asks: readonly string[];
}

const PRESENCE = ['$ empty', '$ notempty', "$ = ''", '$ <> undefined'];
const ORDER = ['<', '>', '<=', '>=', '=', '<>', '==', '!='];
const asked = (operators: readonly string[], literals: readonly string[]) =>
  operators.flatMap((operator) => literals.map((literal) => `$ ${operator} ${literal}`));

const LETTERS = ['Ann', 'bob', 'cy d'];
const KINDS: readonly Kind[] = [
  {
    element: { type: 'radiogroup', choices: [...LETTERS, { value: 7, text: 'Seven' }], showOtherItem: true },
    answers: [...LETTERS, 7, 'other'],
    asks: [
      ...PRESENCE,
      '$',
      '!$',
      ...asked(ORDER, ["'Ann'", 'ann', "'7'", '7', "'other'", "'zed'", '6.5']),
      ...asked(['contains', 'notcontains', '*='], ["'b'", "'CY'", '7']),
      ...asked(['anyof', 'noneof'], ["['bob', 'cy D']", '[7]', "['zed']"]),
      "$ allof ['b', 'o']",
      "'bob' = $",
      '5 < $',
    ],
  },
  {
    element: { type: 'dropdown', choicesMin: 1, choicesMax: 4 },
    answers: [1, 2, 3, 4],
    asks: [...PRESENCE, '$', ...asked(ORDER, ['2', "'3'", '2.5']), '$ anyof [1, 4]'],
  },
  {
    element: { type: 'checkbox', choices: ['x', 'Y', 3], showNoneItem: true, showOtherItem: true },
    answers: [['x'], ['Y', 'x'], ['none'], [3, 'other'], ['x', 'Y', 3]],
    asks: [
      ...PRESENCE,
      '$',
      '!$',
      ...asked(['contains', 'notcontains'], ["'x'", 'y', '3', "'none'", "['x', 'Y']", "'q'"]),
      ...asked(['anyof', 'noneof', 'allof'], ["['x', 'other']", "['q', 3]", "['q']"]),
      ...asked(['=', '<>'], ["['x']", "['x', 'y']", "['none']", "'x'"]),
    ],
  },
  {
    element: { type: 'boolean' },
    answers: [true, false],
    asks: [...PRESENCE, '$', '!$', ...asked(['=', '<>'], ['true', 'false', "'true'", "'False'"])],
  },
  {
    element: { type: 'boolean', valueTrue: 'on', valueFalse: 'off' },
    answers: ['on', 'off'],
    asks: [...PRESENCE, '$', ...asked(['=', '<>'], ["'on'", "'OFF'", 'true'])],
  },
  {
    element: { type: 'text' },
    answers: ['Red', ' red ', 'green apple', '10', '010', '10.0', '0', 'true', 'a.b', 'axb'],
    asks: [
      ...PRESENCE,
      '$',
      '!$',
      ...asked(['=', '<>'], ["'red'", 'RED', '10', "'10'", "'a.b'", 'true', "'green Apple '"]),
      ...asked(['contains', 'notcontains'], ["'PP'", "'red'", '1']),
      "$ anyof ['red', 10]",
    ],
  },
  {
    element: { type: 'comment' },
    answers: ['one\ntwo', 'one'],
    asks: [...PRESENCE, ...asked(['=', '<>', 'contains'], ["'one'", "'TWO'"])],
  },
  {
    element: { type: 'text', inputType: 'number' },
    answers: [0, 2, 10, -3],
    asks: [...PRESENCE, '$', '!$', ...asked(ORDER, ['0', '2', "'10'", '-1']), '$ anyof [2, 10]'],
  },
  { element: { type: 'rating' }, answers: [1, 3, 5], asks: [...PRESENCE, '$', ...asked(ORDER, ['3', "'5'"])] },
  {
    element: { type: 'slider', min: 0, max: 10 },
    answers: [0, 5, 10],
    asks: [...PRESENCE, '$', ...asked(ORDER, ['0', '5'])],
  },
  {
    element: { type: 'text', inputType: 'date' },
    answers: ['2024-02-29', '2023-12-31'],
    asks: [...PRESENCE, ...asked(ORDER, ["'2024-01-01'", "'2024-02-29'"])],
  },
  {
    element: { type: 'text', inputType: 'time' },
    answers: ['08:30', '17:00'],
    asks: [...PRESENCE, ...asked(ORDER, ["'12:00'", "'17:00'"])],
  },
  {
    element: { type: 'matrix', rows: ['r', 's'], columns: ['c', 'd'] },
    answers: [{ r: 'c' }, { r: 'd', s: 'c' }],
    asks: ['$ empty', '$ notempty'],
  },
  {
    element: { type: 'yesno' },
    answers: ['y', 'n', 5],
    asks: [...PRESENCE, ...asked(['=', '<>'], ["'Y'", 'n', '5'])],
  },
];

const COUNT = 6;

interface Plain {
  readonly kinds: readonly Kind[];
  readonly visibleIf: readonly string[];
  /** Conditions of the panel with the last two questions, and of the page. */
  readonly panelIf: string;
  readonly pageIf: string;
}

const askOf = (kinds: readonly Kind[]): fc.Arbitrary<string> =>
  fc
    .constantFrom(...kinds.keys())
    .chain((index) => fc.constantFrom(...(kinds[index]?.asks ?? [])).map((ask) => ask.replaceAll('$', `{q${index}}`)));

const expressionOf = (kinds: readonly Kind[]): fc.Arbitrary<string> =>
  fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      askOf(kinds),
      fc
        .tuple(tie('expression'), fc.constantFrom('and', 'or', '&&', '||'), tie('expression'))
        .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
      tie('expression').map((inner) => `!(${inner})`),
    ),
  })).expression;

/** Conditions use earlier questions only; those of the panel and of the second page use the first four. */
const plainSurvey: fc.Arbitrary<Plain> = fc
  .array(fc.constantFrom(...KINDS), { minLength: COUNT, maxLength: COUNT })
  .chain((kinds) =>
    fc.record({
      kinds: fc.constant(kinds),
      visibleIf: fc.tuple(
        ...kinds.map((_, index) =>
          index === 0 ? fc.constant('') : fc.oneof(fc.constant(''), expressionOf(kinds.slice(0, Math.min(index, 5)))),
        ),
      ),
      panelIf: fc.oneof(fc.constant(''), expressionOf(kinds.slice(0, 3))),
      pageIf: fc.oneof(fc.constant(''), expressionOf(kinds.slice(0, 3))),
    }),
  );

const answersOf = fc.array(fc.option(fc.nat(100), { freq: 3 }), { minLength: COUNT, maxLength: COUNT });

function toDocument({ kinds, visibleIf, panelIf, pageIf }: Plain): JsonObject {
  const elements = kinds.map(({ element }, index) => ({
    ...element,
    name: `q${index}`,
    ...(visibleIf[index] === '' ? {} : { visibleIf: visibleIf[index] ?? '' }),
  }));
  const panel = {
    type: 'panel',
    name: 'p',
    elements: elements.slice(4),
    ...(panelIf === '' ? {} : { visibleIf: panelIf }),
  };
  const second = {
    name: 'second',
    elements: [...elements.slice(3, 4), panel],
    ...(pageIf === '' ? {} : { visibleIf: pageIf }),
  };
  return { pages: [{ name: 'first', elements: elements.slice(0, 3) }, second] };
}

function resultOf({ kinds }: Plain, choices: readonly (number | null)[], visible: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    kinds.flatMap(({ answers }, index): [string, JsonValue][] => {
      const choice = choices[index] ?? null;
      const value = choice === null ? undefined : answers[choice % answers.length];
      if (value === undefined || !visible.has(`q${index}`)) return [];
      const isOther = value === 'other' || (Array.isArray(value) && value.includes('other'));
      return [[`q${index}`, value], ...(isOther ? [[`q${index}-Comment`, 'else'] as [string, JsonValue]] : [])];
    }),
  );
}

/**
 * Answers that remain in survey-core. It evaluates answers of hidden questions too, so they are removed until nothing
 * changes.
 */
function answeredThere(plain: Plain, model: SurveyModel, choices: readonly (number | null)[]): readonly string[] {
  const names = plain.kinds.map((_, index) => `q${index}`);
  let visible: ReadonlySet<string> = new Set(names);
  // Each round decides at least one more question, because conditions use earlier questions only.
  for (let round = 0; round <= COUNT; round += 1) {
    model.data = resultOf(plain, choices, visible);
    visible = new Set(names.filter((name) => isShown(model, name)));
  }
  return Object.keys(resultOf(plain, choices, visible)).filter((name) => !name.endsWith('-Comment'));
}

function isShown(model: SurveyModel, name: string): boolean {
  const question = model.getQuestionByName(name);
  return question.isVisible && question.isParentVisible;
}

describe('visibleIf, compared with survey-core', () => {
  it('hides the same questions, for any survey and answers', async () => {
    const seen = { compared: 0, hidden: 0, unsupported: 0 };
    await fc.assert(
      fc.asyncProperty(plainSurvey, fc.array(answersOf, { minLength: 5, maxLength: 5 }), async (plain, responses) => {
        const warnings: string[] = [];
        const document = toDocument(plain);
        const { payload } = await readSurveyjsSurvey(fileOf(JSON.stringify(document)), {
          title: '',
          language: 'en',
          table: DETECT_ALL,
          warn: ({ code, detail }) => code === 'LOGIC_NOT_CONVERTED' && warnings.push(detail),
        });
        const { lint, validate } = compile(payload);
        expect(lint.errors).toEqual([]);
        if (warnings.length > 0) {
          seen.unsupported += 1;
          for (const detail of warnings)
            expect(detail).toMatch(
              /it (never|always) holds|matches has no opposite|alternatives|is not supported for|is applied to|compares a number with|is used as a condition/,
            );
          return;
        }
        // survey-core treats custom types as text.
        const model = new SurveyModel(JSON.parse(JSON.stringify(document).replaceAll('"yesno"', '"text"')));
        const readAnswers = createAnswerReader(
          payload,
          createWarnOnce(() => {}),
        );
        for (const choices of responses) {
          const all = resultOf(plain, choices, new Set(plain.kinds.map((_, index) => `q${index}`)));
          const { data, errors } = validate(readAnswers(all, '').answers, { lenient: true });
          expect(errors).toEqual([]);
          const theirs = answeredThere(plain, model, choices);
          expect(Object.keys(data)).toEqual(theirs);
          seen.compared += 1;
          seen.hidden += Object.keys(all).filter((name) => !name.endsWith('-Comment')).length - theirs.length;
        }
      }),
      { numRuns: RUNS, endOnFailure: true, seed: 20_261_121 },
    );
    expect(seen.unsupported).toBeLessThan(RUNS / 2);
    expect(seen.compared).toBeGreaterThan(2.35 * RUNS);
    expect(seen.hidden).toBeGreaterThan(0.85 * RUNS);
  });
});
