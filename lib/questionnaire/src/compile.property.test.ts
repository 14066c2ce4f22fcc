import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkShape } from './check-shape.ts';
import { compile } from './compile.ts';
import { completeDefinition } from './complete-definition.ts';
import { isObject, type JsonObject } from './json.ts';
import { anyData, anySurvey, brokenSurvey } from './testing/arbitraries.ts';

const freeze = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
};

/** The definition with its logic in another order. */
const withLogic = (definition: JsonObject, change: (logic: readonly unknown[]) => readonly unknown[]): JsonObject => {
  const survey = definition.survey as { readonly logic: readonly unknown[] }; // as anySurvey makes it
  return { ...definition, survey: { ...survey, logic: change(survey.logic) } };
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

describe('validate', () => {
  const runs = { numRuns: 500 };

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
