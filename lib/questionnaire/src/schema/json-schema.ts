import type { JsonObject } from '../json.ts';
import type { Member, Notes, ObjectSchema, Schema, TextSchema, VariantsSchema } from './schema.ts';

/** A JSON Schema (2020-12), or a schema of OpenAPI 3.1, which generators of clients understand. */
type Form = 'json-schema' | 'openapi';

/** Location of the schemas with a name. */
const REFERENCES: Readonly<Record<Form, string>> = { 'json-schema': '#/$defs/', openapi: '#/components/schemas/' };

export interface JsonSchemas {
  readonly root: JsonObject;
  /** The schemas that `root` and others refer to, by name. */
  readonly named: Readonly<Record<string, JsonObject>>;
}

/**
 * Writes a schema as JSON Schema. For OpenAPI, optional members are not nullable, and blank texts are not excluded.
 * Defaults are part of the descriptions there, because generators make members with a default required.
 */
export function toJsonSchema(schema: Schema, form: Form): JsonSchemas {
  const named: Record<string, JsonObject> = {};

  const refer = (name: string, define: () => JsonObject): JsonObject => {
    if (!Object.hasOwn(named, name)) {
      named[name] = {}; // keeps the order of the definition
      named[name] = define();
    }
    return { $ref: REFERENCES[form] + name };
  };

  const of = (one: Schema): JsonObject => {
    switch (one.kind) {
      case 'any':
        return notes(one);
      case 'text':
        return { ...ofText(one), ...notes(one) };
      case 'string':
        return { type: 'string', ...limitsOf(one), ...notes(one) };
      case 'number':
        return { type: one.integer ? 'integer' : 'number', ...limitsOf(one), ...notes(one) };
      case 'list':
        return {
          type: 'array',
          items: of(one.items),
          ...(one.empty === undefined ? {} : { minItems: 1 }),
          ...limitsOf(one),
          ...notes(one),
        };
      case 'map':
        return {
          type: 'object',
          additionalProperties: one.values.kind === 'any' ? true : of(one.values),
          ...notes(one),
        };
      case 'union':
        return { ...anyOf(one.of), ...notes(one) };
      case 'object':
        return {
          ...refer(one.title, () => ({ ...ofObject(one), ...notes(one) })),
          ...(one.memberDescription === undefined ? {} : { description: one.memberDescription }),
        };
      case 'variants':
        return refer(one.title, () => ({ ...ofVariants(one), ...notes(one) }));
      default:
        return { type: one.kind, ...notes(one) };
    }
  };

  const ofText = ({ blank }: TextSchema): JsonObject => {
    const translations = { type: 'object', additionalProperties: { type: 'string' } };
    if (blank === undefined || form === 'openapi')
      return refer('TranslatableText', () => ({
        description: 'A string, which is shown in every language, or an object with a string for each language.',
        examples: ['Which size?', { en: 'Which size?', de: 'Welche Größe?' }],
        anyOf: [{ type: 'string' }, translations],
      }));
    return refer('RequiredText', () => ({
      description: 'A string, or an object with a string for each language. At least one of them is not blank.',
      examples: ['Which size?', { en: 'Which size?', de: 'Welche Größe?' }],
      anyOf: [
        { type: 'string', pattern: '\\S' },
        { ...translations, not: { additionalProperties: { pattern: '^\\s*$' } } },
      ],
    }));
  };

  const anyOf = (alternatives: readonly Schema[]): JsonObject => {
    const written = alternatives.filter(({ kind }) => form === 'json-schema' || kind !== 'null').map(of);
    const [first] = written;
    return written.length === 1 && first !== undefined ? first : { anyOf: written };
  };

  const ofObject = ({ members, ignored }: ObjectSchema): JsonObject => {
    const names = Object.keys(members);
    const required = names.filter((name) => members[name]?.missing !== undefined);
    return {
      type: 'object',
      ...(required.length === 0 ? {} : { required }),
      properties: Object.fromEntries(Object.entries(members).map(([name, member]) => [name, ofMember(member)])),
      ...(ignored.length === 0 ? { additionalProperties: false } : { propertyNames: { enum: [...names, ...ignored] } }),
    };
  };

  const ofMember = ({ schema: value, missing }: Member): JsonObject => {
    const written = of(value);
    if (missing !== undefined || value.kind === 'any' || form === 'openapi') return written;
    const { description, ...rest } = written;
    // In a definition, null means the same as missing.
    return { ...(description === undefined ? {} : { description }), anyOf: [rest, { type: 'null' }] };
  };

  const ofVariants = ({ variants }: VariantsSchema): JsonObject => {
    const references = Object.entries(variants).map(([type, one]) => [type, of(one)] as const);
    return {
      oneOf: references.map(([, reference]) => reference),
      ...(form === 'json-schema'
        ? {}
        : {
            discriminator: {
              propertyName: 'type',
              mapping: Object.fromEntries(references.map(([type, { $ref }]) => [type, $ref])),
            },
          }),
    };
  };

  const notes = ({ description = '', default: value, examples }: Notes): JsonObject => {
    const whole = describe(description, form === 'openapi' ? value : undefined);
    return {
      ...(whole === '' ? {} : { description: whole }),
      ...(value === undefined || form === 'openapi' ? {} : { default: value }),
      ...(examples === undefined ? {} : { examples }),
    };
  };

  return { root: of(schema), named };
}

/** A description with the default value. */
function describe(description: string, value: unknown): string {
  return [description, ...(value === undefined ? [] : [`Default: \`${String(value)}\`.`])]
    .filter((part) => part !== '')
    .join(' ');
}

const LIMITS_OF = ['enum', 'format', 'minimum', 'exclusiveMinimum', 'maximum', 'maxLength', 'maxItems'];

/** The keywords that have the same name in JSON Schema. */
function limitsOf(schema: Schema): JsonObject {
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([name]) => LIMITS_OF.includes(name))),
    ...('pattern' in schema && schema.pattern !== undefined ? { pattern: schema.pattern.source } : {}),
  };
}
