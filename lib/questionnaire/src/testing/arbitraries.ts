import fc from 'fast-check';
import type { JsonObject } from '../json.ts';
import { ACTIONS } from '../logic/normalise-logic.ts';
import { OPERATORS } from '../logic/operators.ts';
import { QUESTION_TYPE_NAMES, type QuestionTypeName, question as questions } from '../schema/question-schema.ts';
import type { Schema } from '../schema/schema.ts';
import { surveyOfPages } from './survey-of.ts';

const questionIds = ['q0', 'q1', 'q2', 'q3', 'q4', 'q5', '__proto__', 'constructor'] as const;
const optionIds = ['a', 'b', 'c', '1', '__proto__'] as const;
const anyQuestionId = fc.constantFrom(...questionIds, 's0', 'nope');
const anyJson = fc.jsonValue({ maxDepth: 3 });

/** Mostly the given values, sometimes any JSON value. */
function mostly<Value>(right: fc.Arbitrary<Value>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: anyJson });
}

/** Values that fit a schema, most of them small. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  switch (schema.kind) {
    case 'boolean':
      return fc.boolean();
    case 'number':
      return schema.integer ? fc.nat(3).map((value) => value + (schema.minimum ?? 0)) : fc.constantFrom(0.5, 1, 2);
    case 'string':
      return fc.constantFrom(...(schema.enum ?? schema.examples ?? ['a', '1']));
    case 'text':
      return fc.constantFrom('Text', { en: 'Text', de: 'Wort' });
    case 'list':
      return fc.array(valuesOf(schema.items), { maxLength: 3 });
    case 'map':
      return fc.dictionary(fc.constantFrom('a', '1', '5'), valuesOf(schema.values));
    case 'union':
      return fc.oneof(...schema.of.map(valuesOf));
    case 'null':
      return fc.constant(null);
    default:
      return anyJson;
  }
}

const schemas = Object.values(questions.variants).flatMap(({ members }) => Object.entries(members));
const memberNames = [...new Set(schemas.map(([name]) => name))];

const options = fc.uniqueArray(fc.constantFrom(...optionIds), { minLength: 1 });

/** Members of questions whose values fit other members, or some answers. */
const fitting: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  title: fc.constant('Question'),
  options,
  rows: options,
  columns: options,
  max_length: fc.nat(10),
  pattern: fc.constantFrom(null, '^[a-z0-9@.-]*$', '[0-9]'),
  min: fc.constantFrom(0, '2024-01-01', '10:00'),
  max: fc.constantFrom(4, '2025-01-01', '20:00'),
};

/** Members that any question can have, by name. Null means the same as missing, so that few members are combined. */
const members = Object.fromEntries(
  memberNames.map((name) => {
    const ofTypes = schemas.filter(([other]) => other === name).map(([, { schema }]) => valuesOf(schema));
    return [name, fitting[name] ?? fc.oneof(fc.constant(null), ...ofTypes)];
  }),
);

/** Each optional member is omitted half of the time. */
function question(id: string, types = QUESTION_TYPE_NAMES): fc.Arbitrary<JsonObject> {
  const model: Record<string, fc.Arbitrary<unknown>> = {
    ...members,
    id: fc.constant(id),
    type: fc.constantFrom(...types),
  };
  return fc.record(model, { requiredKeys: ['id', 'type', 'title', 'options', 'columns'] });
}

function pagesOf(types?: readonly string[]) {
  return fc
    .tuple(...questionIds.map((id) => question(id, types)))
    .chain((questions) => fc.nat(questions.length).map((cut) => [questions.slice(0, cut), questions.slice(cut)]));
}

const condition = fc.record(
  {
    source_question: anyQuestionId,
    question_id: anyQuestionId,
    target_question: anyQuestionId,
    operator: fc.constantFrom(...Object.keys(OPERATORS)),
    value: fc.oneof(fc.constantFrom(...optionIds, 1, 3, '2024-01-01', '10:00'), fc.subarray([...optionIds])),
    action: fc.constantFrom(...ACTIONS),
  },
  { requiredKeys: ['source_question', 'operator', 'value'] },
);

/** Conditions of a logic entry without effects. Most of them are valid. */
export const conditionsOn: fc.Arbitrary<readonly JsonObject[]> = fc.array(
  fc.record({
    source_question: anyQuestionId,
    operator: condition.map(({ operator }) => operator),
    value: condition.map(({ value }) => value),
  }),
  { minLength: 1, maxLength: 3 },
);

/** Logic entries, most of which are valid. */
export const anyLogic: fc.Arbitrary<readonly JsonObject[]> = fc.array(
  fc.record(
    {
      question_id: anyQuestionId,
      match: fc.constantFrom('all', 'any'),
      action: fc.constantFrom(...ACTIONS),
      target_question: anyQuestionId,
      conditions: fc.array(condition, { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: ['question_id', 'conditions'] },
  ),
  { maxLength: 8 },
);

const sections = fc.array(fc.record({ id: fc.constantFrom('s0', 's1'), question_ids: fc.subarray([...questionIds]) }), {
  maxLength: 2,
});

/** Definitions with a valid shape, but possibly lint errors. */
export const anySurvey: fc.Arbitrary<JsonObject> = fc
  .tuple(pagesOf(), anyLogic, sections)
  .map(([questions, logic, given]) => surveyOfPages(questions, { logic, sections: given }));

/** Definitions without logic whose questions have one type. */
export function surveyOfType(type: string): fc.Arbitrary<JsonObject> {
  return pagesOf([type]).map((questions) => surveyOfPages(questions));
}

/** Definitions with errors anywhere. */
export const brokenSurvey: fc.Arbitrary<unknown> = mostly(
  fc.record(
    {
      schema_version: mostly(fc.constant('1.0')),
      version: mostly(fc.constant(1)),
      survey: mostly(
        fc.record(
          {
            title: mostly(fc.constant('Survey')),
            supported_languages: mostly(fc.constant(['en', 'de'])),
            welcome_screen: anyJson,
            pages: mostly(
              fc.array(
                mostly(
                  fc.record({
                    questions: mostly(
                      fc.array(
                        mostly(
                          fc
                            .dictionary(fc.constantFrom(...memberNames, '__proto__'), anyJson)
                            .chain((broken) =>
                              fc.constantFrom(...QUESTION_TYPE_NAMES).map((type) => ({ id: 'q0', ...broken, type })),
                            ),
                        ),
                      ),
                    ),
                  }),
                ),
              ),
            ),
            sections: mostly(fc.array(mostly(fc.record({ id: anyJson, questions: anyJson })))),
            logic: mostly(
              fc.array(mostly(fc.record({ question_id: anyJson, conditions: mostly(fc.array(mostly(condition))) }))),
            ),
          },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  ),
);

const optionId = fc.constantFrom(...optionIds);
const optionSet = fc.shuffledSubarray([...optionIds]);
const texts = fc.oneof(
  fc.constantFrom('12', '-1.5', 'a@b.co', 'e\u0301', 'two\nlines', ''),
  fc.string({ maxLength: 8 }),
);

/** Answers of the shape of a type; the question may still reject them. */
const ANSWERS: { readonly [Type in QuestionTypeName]: fc.Arbitrary<unknown> } = {
  single_choice: fc.oneof(optionId, fc.record({ option: fc.constant('other'), text: texts })),
  multiple_choice: fc.oneof(optionSet, fc.record({ options: optionSet, other: texts })),
  text: texts,
  textarea: texts,
  rating: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom('3', 2.5)),
  likert: fc.oneof(optionId, fc.dictionary(optionId, optionId)),
  matrix: fc.oneof(fc.dictionary(optionId, optionId), fc.dictionary(optionId, optionSet)),
  date: fc.constantFrom('2024-01-01', '2024-02-29', '2025-12-31', '2023-02-29'),
  time: fc.constantFrom('00:00', '10:30', '23:59:59', '24:00'),
  file_upload: fc.array(fc.record({ file_id: fc.constantFrom('f1', 'f2', 'f3') }), { maxLength: 2 }),
};

const answer = fc.oneof(...Object.values(ANSWERS), anyJson);

/** Answers to questions of one type, some of them invalid. */
export function dataOfType(type: QuestionTypeName): fc.Arbitrary<JsonObject> {
  return fc.dictionary(fc.constantFrom(...questionIds), fc.oneof({ weight: 5, arbitrary: ANSWERS[type] }, answer));
}

/** Answers of random types. */
export const anyData: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(fc.constantFrom(...questionIds), answer), { maxLength: 12 })
  .map((entries) => Object.fromEntries(entries));
