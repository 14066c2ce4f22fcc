import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANSWER_TYPES, type QuestionTypeName } from './answers/answer-types.ts';
import { checkShape } from './check-shape.ts';
import { compile } from './compile.ts';
import { completeDefinition } from './complete-definition.ts';
import { isObject, type JsonObject } from './json.ts';
import { anyData, anySurvey, brokenSurvey, dataOfType, surveyOfType } from './testing/arbitraries.ts';

// The same cases each time, so that a failure is the doing of the change before it.
fc.configureGlobal({ seed: 20_240_229 });

const freeze = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
};

/** The definition with its logic in another order. */
const withLogic = (definition: JsonObject, change: (logic: readonly unknown[]) => readonly unknown[]): JsonObject => {
  const survey = definition.survey as { readonly logic: readonly unknown[] }; // as anySurvey makes it
  return { ...definition, survey: { ...survey, logic: change(survey.logic) } };
};

/** The JSON value with its nth part, counted around in the order of depth, replaced by another value. */
const replacePart = (root: JsonObject, place: number, value: unknown): JsonObject => {
  const paths: string[][] = [];
  const collect = (part: unknown, path: string[]): void => {
    if (path.length > 0) paths.push(path);
    if (typeof part !== 'object' || part === null) return;
    for (const [name, member] of Object.entries(part)) collect(member, [...path, name]);
  };
  collect(root, []);
  const copy = structuredClone(root);
  const [last = '', ...before] = (paths[place % paths.length] ?? []).toReversed();
  // Every path but its last name leads through objects and arrays.
  const owner = before.reduceRight<Record<string, unknown>>(
    (part, name) => part[name] as Record<string, unknown>,
    copy,
  );
  owner[last] = value;
  return copy;
};

/** What a JSON pointer (RFC 6901) leads to; undefined when there is nothing. */
const resolve = (root: unknown, path: string): unknown => {
  let part = root;
  for (const token of path.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    part = Object.getOwnPropertyDescriptor(Object(part), name)?.value;
  }
  return part;
};

describe('whatever comes in', () => {
  const options = fc.record({ partial: fc.boolean(), strict: fc.boolean(), lenient: fc.boolean() });

  it('nothing throws and nothing is changed', () => {
    const definitions = fc.oneof(brokenSurvey, fc.jsonValue());
    const rows = fc.dictionary(fc.string(), fc.string());
    fc.assert(
      fc.property(definitions, fc.oneof(anyData, fc.jsonValue()), options, rows, (definition, data, how, row) => {
        freeze([definition, data]);
        checkShape(definition);
        if (isObject(definition)) completeDefinition(definition, () => 'new');
        const compiled = compile(definition);
        const validated = compiled.validate(data, how);
        compiled.cellsFromAnswers(validated.data);
        compiled.answersFromColumns(row);
        expect(new Set(validated.errors.map(({ path }) => path)).size).toBe(validated.errors.length);
      }),
      { numRuns: 500 },
    );
  });
});

describe('lint', () => {
  it('throws for no JSON in place of any part of a definition, and gives pointers to what is there', () => {
    fc.assert(
      fc.property(anySurvey, fc.nat(), fc.jsonValue(), (definition, place, value) => {
        const broken = replacePart(definition, place, value);
        const { errors, warnings } = compile(broken).lint;
        const misshapen = checkShape(broken);
        for (const { path } of misshapen.length > 0 ? misshapen : [...errors, ...warnings]) {
          // What is missing has a pointer too, so it is the object around it that must be there.
          expect(resolve(broken, path.slice(0, path.lastIndexOf('/')))).toBeTypeOf('object');
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('validate', () => {
  const runs = { numRuns: 500 };

  // The table names its own types.
  it.each(Object.keys(ANSWER_TYPES) as QuestionTypeName[])(
    'takes what it gave of %s, and gives the same again',
    (type) => {
      let stored = 0;
      fc.assert(
        fc.property(surveyOfType(type), dataOfType(type), (definition, data) => {
          const { validate } = compile(definition);
          const first = validate(data, { partial: true, lenient: true });
          stored += Object.keys(first.data).length;
          expect(validate(first.data, { partial: true, strict: true })).toEqual({ ...first, errors: [] });
        }),
        { numRuns: 200 },
      );
      // Of answers that are all refused there would be nothing to take.
      expect(stored).toBeGreaterThan(50);
    },
  );

  it('gives data that it takes and leaves as it is, strict or not', () => {
    fc.assert(
      fc.property(anySurvey, anyData, (definition, data) => {
        const { validate } = compile(definition);
        const first = validate(data, { partial: true });
        const second = validate(first.data, { partial: true, strict: true });
        expect(second).toEqual({ ...first, errors: [] });
      }),
      runs,
    );
  });

  it('does not depend on the order of logic entries', () => {
    fc.assert(
      fc.property(
        anySurvey,
        anyData,
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (definition, data, keys) => {
          const shuffled = withLogic(definition, (logic) =>
            logic
              .map((entry) => ({ entry, key: keys.next().value ?? 0 }))
              .sort((one, other) => one.key - other.key)
              .map(({ entry }) => entry),
          );
          expect(compile(shuffled).validate(data)).toEqual(compile(definition).validate(data));
        },
      ),
      runs,
    );
  });

  it('does not depend on the order of answers', () => {
    fc.assert(
      fc.property(anySurvey, anyData, (definition, data) => {
        const { validate } = compile(definition);
        const reversed = Object.fromEntries(Object.entries(data).reverse());
        expect(validate(reversed)).toEqual(validate(data));
      }),
      runs,
    );
  });

  it('asks for nothing more when lenient', () => {
    fc.assert(
      fc.property(anySurvey, anyData, (definition, data) => {
        const { validate } = compile(definition);
        const exact = validate(data, { partial: true });
        if (exact.errors.length === 0) expect(validate(data, { partial: true, lenient: true })).toEqual(exact);
      }),
      runs,
    );
  });
});

describe('columns', () => {
  it('bring answers to CSV and back', () => {
    fc.assert(
      fc.property(anySurvey, anyData, (definition, given) => {
        const { validate, columns, cellsFromAnswers, answersFromColumns } = compile(definition);
        const { data } = validate(given, { partial: true });
        const cells = cellsFromAnswers(data);
        expect(cells).toHaveLength(columns.length);
        const row = Object.fromEntries(columns.map(({ name }, index) => [name, cells[index]]));
        const read = answersFromColumns(row);
        expect(read.errors).toEqual([]);
        expect(validate(read.data, { partial: true, lenient: true })).toMatchObject({ data, errors: [] });
      }),
      { numRuns: 500 },
    );
  });
});
