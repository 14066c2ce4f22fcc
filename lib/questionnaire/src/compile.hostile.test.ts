import { describe, expect, it } from 'vitest';
import { checkShape } from './check-shape.ts';
import { compile } from './compile.ts';
import { HOSTILE_DEFINITIONS } from './testing/hostile-definitions.ts';

describe('a hostile definition', () => {
  it.each(Object.entries(HOSTILE_DEFINITIONS))('with %s gets a reply smaller than itself', (_, make) => {
    const definition = make();
    const { lint, validate, answersJsonSchema } = compile(definition);
    const bytes = Buffer.byteLength(JSON.stringify([checkShape(definition), lint]));
    expect(bytes).toBeLessThan(Buffer.byteLength(JSON.stringify(definition)) + 1_000);
    expect(validate({}).data).toEqual({});
    expect(answersJsonSchema()).toMatchObject({ type: 'object' });
  });
});
