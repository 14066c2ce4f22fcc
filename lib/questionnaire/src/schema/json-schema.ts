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
      named[name] = {}; // Reserves the position: schemas keep the order of their first references.
      named[name] = define();
    }
    return { $ref: REFERENCES[form] + name };
  };

  const convert = (part: Schema): JsonObject => {
    switch (part.kind) {
      case 'any':
        return notesOf(part);
      case 'text':
        return { ...convertText(part), ...notesOf(part) };
      case 'string':
        return { type: 'string', ...keywordsOf(part), ...notesOf(part) };
      case 'number':
        return { type: part.integer ? 'integer' : 'number', ...keywordsOf(part), ...notesOf(part) };
      case 'list':
        return {
          type: 'array',
          items: convert(part.items),
          ...(part.empty === undefined ? {} : { minItems: 1 }),
          ...keywordsOf(part),
          ...notesOf(part),
        };
      case 'map':
        return {
          type: 'object',
          additionalProperties: part.values.kind === 'any' ? true : convert(part.values),
          ...notesOf(part),
        };
      case 'union':
        return { ...convertAlternatives(part.of), ...notesOf(part) };
      case 'object':
        return {
          ...refer(part.title, () => ({ ...convertObject(part), ...notesOf(part) })),
          ...(part.memberDescription === undefined ? {} : { description: part.memberDescription }),
        };
      case 'variants':
        return refer(part.title, () => ({ ...convertVariants(part), ...notesOf(part) }));
      default:
        return { type: part.kind, ...notesOf(part) };
    }
  };

  const convertText = ({ blank }: TextSchema): JsonObject => {
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

  const convertAlternatives = (alternatives: readonly Schema[]): JsonObject => {
    const converted = alternatives.filter(({ kind }) => form === 'json-schema' || kind !== 'null').map(convert);
    const [first] = converted;
    return converted.length === 1 && first !== undefined ? first : { anyOf: converted };
  };

  const convertObject = ({ members, ignored }: ObjectSchema): JsonObject => {
    const names = Object.keys(members);
    const required = names.filter((name) => members[name]?.missing !== undefined);
    return {
      type: 'object',
      ...(required.length === 0 ? {} : { required }),
      properties: Object.fromEntries(Object.entries(members).map(([name, member]) => [name, convertMember(member)])),
      ...(ignored.length === 0 ? { additionalProperties: false } : { propertyNames: { enum: [...names, ...ignored] } }),
    };
  };

  const convertMember = ({ schema: value, missing }: Member): JsonObject => {
    const converted = convert(value);
    if (missing !== undefined || value.kind === 'any' || form === 'openapi') return converted;
    const { description, ...rest } = converted;
    // In a definition, null means the same as missing.
    return { ...(description === undefined ? {} : { description }), anyOf: [rest, { type: 'null' }] };
  };

  const convertVariants = ({ variants }: VariantsSchema): JsonObject => {
    const references = Object.entries(variants).map(([type, variant]) => [type, convert(variant)] as const);
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

  const notesOf = ({ description = '', default: value, examples }: Notes): JsonObject => {
    const whole = describe(description, form === 'openapi' ? value : undefined);
    return {
      ...(whole === '' ? {} : { description: whole }),
      ...(value === undefined || form === 'openapi' ? {} : { default: value }),
      ...(examples === undefined ? {} : { examples }),
    };
  };

  return { root: convert(schema), named };
}

/** A description with the default value. */
function describe(description: string, value: unknown): string {
  return [description, ...(value === undefined ? [] : [`Default: \`${String(value)}\`.`])]
    .filter((part) => part !== '')
    .join(' ');
}

const KEYWORDS = ['enum', 'format', 'minimum', 'exclusiveMinimum', 'maximum', 'maxLength', 'maxItems'];

/** The keywords that have the same name in JSON Schema. */
function keywordsOf(schema: Schema): JsonObject {
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([name]) => KEYWORDS.includes(name))),
    ...('pattern' in schema && schema.pattern !== undefined ? { pattern: schema.pattern.source } : {}),
  };
}
