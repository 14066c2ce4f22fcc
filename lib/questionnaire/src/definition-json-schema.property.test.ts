import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import testVectors from '../test-vectors.json' with { type: 'json' };
import { definitionComponents, definitionJsonSchema } from './definition-json-schema.ts';
import { isObject, itemsOf, type JsonObject } from './json.ts';
import { createReport, type LintProblem } from './lint/report.ts';
import { alternativeOf, variantOf } from './schema/check.ts';
import { payload } from './schema/definition-schema.ts';
import type { QuestionOfType, QuestionTypeName } from './schema/question-schema.ts';
import { reportShapeProblems } from './schema/report-shape-problems.ts';
import type { Schema } from './schema/schema.ts';
import { anySurvey, brokenSurvey } from './testing/arbitraries.ts';

type Question = QuestionOfType<QuestionTypeName>;

/** A payload with every member of every object. */
const FULL_SURVEY: JsonObject = {
  $schema: 'https://example.org/schema.json',
  schema_version: '1.0',
  version: 1,
  project_id: '01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6a7b',
  settings: {
    opens_at: '2026-01-01T00:00:00Z',
    closes_at: '2036-12-31T23:00:00.5+01:00',
    response_limit: 500,
    access: 'links_only',
    languages: ['en'],
    retention_days: 30,
    resume_across_devices: false,
    metadata_fields: [{ name: 'campaign', type: 'string', max_length: 100, from: ['url', 'link'] }],
  },
  survey: testVectors.vectors.find(({ title }) => title === 'every setting')?.definition,
};

const isValid = new Ajv2020({ strict: true, strictTypes: false, validateFormats: false }).compile(
  definitionJsonSchema(),
);

function problemsOf(definition: unknown): readonly LintProblem[] {
  const { report, lint } = createReport();
  reportShapeProblems(definition, 'storing', report);
  reportShapeProblems(definition, 'publishing', report);
  return lint.errors;
}

/** The members that a value has, such as `SurveyPage.title`. */
function* membersIn(schema: Schema | undefined, value: unknown): Generator<string> {
  if (schema?.kind === 'list') for (const item of itemsOf(value)) yield* membersIn(schema.items, item);
  else if (schema?.kind === 'union') yield* membersIn(alternativeOf(schema.of, value), value);
  else if (schema?.kind === 'variants' && isObject(value)) yield* membersIn(variantOf(schema, value), value);
  else if (schema?.kind === 'object' && isObject(value))
    for (const [name, member] of Object.entries(schema.members)) {
      if (!Object.hasOwn(value, name)) continue;
      yield `${schema.title}.${name}`;
      yield* membersIn(member.schema, value[name]);
    }
}

/** Values that fit some members and not others. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    'x',
    'en',
    '1.0',
    '2026-01-01',
    'number',
    'rating',
    -1,
    0,
    1,
    1.5,
    2 ** 40,
  ),
  fc.constantFrom<unknown>([], {}, ['a'], [null], [1], [{}], { en: 'a' }, { en: 1 }, { id: 1 }, { id: 'a' }),
  fc.constantFrom<unknown>({ text: 1 }, { exclusive: 1 }, [{ text: { en: 'a' } }], [{ id: true }], { a: { en: 'b' } }),
  fc.jsonValue({ maxDepth: 2 }),
);

function withoutNull(given: unknown): unknown {
  if (Array.isArray(given)) return given.filter((item) => item !== null).map(withoutNull);
  if (!isObject(given)) return given;
  const members = Object.entries(given).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNull(member)]));
}

type Mutation = (root: JsonObject, at: number, given: unknown) => JsonObject;

/** Changes the value at the nth path, modulo the number of paths in depth-first order. */
function mutation(change: (owner: Record<string, unknown>, name: string, given: unknown) => void): Mutation {
  return (root, at, given) => {
    const copy = structuredClone(root);
    const paths: (readonly [owner: Record<string, unknown>, name: string])[] = [];
    const collect = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) return;
      for (const [name, member] of Object.entries(part)) {
        paths.push([part as Record<string, unknown>, name]); // an object or an array
        collect(member);
      }
    };
    collect(copy);
    const [owner, name] = paths[at % paths.length] ?? [{}, ''];
    change(owner, name, given);
    return copy;
  };
}

const mutations: readonly Mutation[] = [
  mutation((owner, name, given) => {
    owner[name] = given;
  }),
  mutation((owner, name) => {
    if (Array.isArray(owner)) owner.splice(Number(name), 1);
    else delete owner[name];
  }),
  mutation((owner, name, given) => {
    if (isObject(owner)) owner[`${name}s`] = given;
  }),
  // Members move between questions of different types.
  mutation((owner, _, given) => {
    if ('type' in owner && typeof given === 'string') owner['type'] = given;
    if ('type' in owner) owner['min'] = given;
  }),
];

describe('the JSON Schema of definitions', () => {
  it('accepts a survey with every member, which the public vectors have', () => {
    const { $defs } = definitionJsonSchema();
    const all = Object.entries($defs as Readonly<Record<string, JsonObject>>).flatMap(([title, schema]) =>
      Object.keys(schema['properties'] ?? {}).map((name) => `${title}.${name}`),
    );
    expect(all.length).toBeGreaterThan(100);
    expect(new Set(membersIn(payload, FULL_SURVEY))).toEqual(new Set(all));
    expect(isValid(FULL_SURVEY), JSON.stringify(isValid.errors)).toBe(true);
    expect(problemsOf(FULL_SURVEY)).toEqual([]);
  });

  it('accepts its examples', () => {
    const { $defs } = definitionJsonSchema();
    const shown = Object.entries($defs as Readonly<Record<string, { readonly examples?: readonly unknown[] }>>).flatMap(
      ([name, { examples = [] }]) => examples.map((example) => [name, example] as const),
    );
    expect(shown.length).toBeGreaterThan(15);
    for (const [name, example] of shown) {
      const fitsPart = new Ajv2020({ strict: false, validateFormats: false }).compile({
        ...definitionJsonSchema(),
        $ref: `#/$defs/${name}`,
      });
      expect(fitsPart(example), `${name} ${JSON.stringify(fitsPart.errors)}`).toBe(true);
    }
  });

  it('accepts exactly what the check of the shape accepts', () => {
    let valid = 0;
    const survey = fc.oneof({ weight: 4, arbitrary: fc.constant(FULL_SURVEY) }, { weight: 1, arbitrary: anySurvey });
    const changes = fc.array(fc.tuple(fc.constantFrom(...mutations), fc.nat(), value), { maxLength: 3 });
    const runs = inject('testScope') === 'all' ? 1_500 : 300;
    fc.assert(
      fc.property(survey, changes, (given, list) => {
        const definition = list.reduce((changed, [change, at, to]) => change(changed, at, to), given);
        const problems = problemsOf(definition);
        if (problems.length === 0) valid += 1;
        expect(isValid(definition), JSON.stringify([problems, isValid.errors])).toBe(problems.length === 0);
      }),
      { numRuns: runs, seed: 1 },
    );
    expect(valid).toBeGreaterThan(runs / 10);
    expect(valid).toBeLessThan(runs * 0.9);
  });

  it('rejects what is not a survey', () => {
    fc.assert(
      fc.property(fc.oneof(brokenSurvey, fc.jsonValue()), (definition) => {
        expect(isValid(definition)).toBe(problemsOf(definition).length === 0);
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});

describe('the schemas for OpenAPI', () => {
  it('accept valid surveys without null', () => {
    const isDescribed = new Ajv2020({ strict: false, validateFormats: false }).compile({
      $ref: '#/components/schemas/SurveyDefinition',
      components: { schemas: definitionComponents() },
    });
    const change = fc.tuple(fc.constantFrom(...mutations), fc.nat(), value);
    const full = withoutNull(FULL_SURVEY) as JsonObject; // FULL_SURVEY is an object
    let accepted = 0;
    fc.assert(
      fc.property(change, ([mutate, at, to]) => {
        const definition = mutate(full, at, to);
        if (!isValid(definition) || JSON.stringify(definition).includes('null')) return;
        accepted += 1;
        expect(isDescribed(definition['survey']), JSON.stringify(isDescribed.errors)).toBe(true);
      }),
      { numRuns: 500, seed: 1 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});

describe('the type of a definition', () => {
  it('has the types of questions and their members', () => {
    const right: QuestionOfType<'rating'> = { type: 'rating', title: 'Taste', min: 1 };
    // @ts-expect-error: no such type
    const misspeltType: Question = { type: 'single_choise', title: 'Taste' };
    // @ts-expect-error: a date cannot begin at a number
    const wrongMember: Question = { type: 'date', title: 'Day', min: 1 };
    // @ts-expect-error: the title is required
    const noTitle: Question = { type: 'text' };
    const withQuestion = (question: unknown) => ({
      schema_version: '1.0',
      version: 1,
      survey: { title: 'Lunch', supported_languages: ['en'], pages: [{ questions: [question] }] },
    });
    const validity = [right, misspeltType, wrongMember, noTitle].map((question) => isValid(withQuestion(question)));
    expect(validity).toEqual([true, false, false, false]);
  });
});
