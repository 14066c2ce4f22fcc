import { describe, expect, it } from 'vitest';
import { printNamedType, printType, type Schema } from './print-types.ts';

describe('the type of a schema', () => {
  it.each<[Schema, string]>([
    [{ type: 'string', description: 'A text.' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'boolean' }, 'boolean'],
    [{}, 'unknown'],
    [{ const: "it's" }, "'it\\'s'"],
    [{ type: 'string', enum: ['a', 'b'] }, "'a' | 'b'"],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
    [{ type: 'array' }, 'unknown[]'],
    [{ $ref: '#/components/schemas/Survey' }, 'Survey'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Survey' } }, 'Survey[]'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'string' }] }, 'string | null'],
    [{ oneOf: [{ type: 'number' }, { type: 'boolean' }] }, 'number | boolean'],
    [{ allOf: [{ $ref: '#/components/schemas/A' }, { enum: ['x', 'y'] }] }, "A & ('x' | 'y')"],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
  ])('%j is %s', (schema, type) => {
    expect(printType(schema)).toBe(type);
  });

  it('is not guessed', () => {
    expect(() => printType({ type: 'file' })).toThrow('no TypeScript type for {"type":"file"}');
  });
});

it('a named type has comments, quoted names and optional members', () => {
  const schema: Schema = {
    type: 'object',
    description: 'First line.\n\nA comment cannot */ end.',
    properties: {
      id: { type: 'string', description: 'Id.' },
      'a-b': { type: 'object', properties: { deep: { type: 'null' } }, required: ['deep'] },
    },
    required: ['id'],
  };
  expect(printNamedType('Example', schema)).toBe(`/**
 * First line.
 *
 * A comment cannot *\\/ end.
 */
export interface Example {
  /** Id. */
  id: string;
  'a-b'?: {
    deep: null;
  };
}`);
  expect(printNamedType('Color', { enum: ['red'] })).toBe("export type Color = 'red';");
});
