import { isDeepStrictEqual } from 'node:util';
import { type DescField, type DescMessage, getOption, hasOption, ScalarType } from '@bufbuild/protobuf';
import {
  enum_name as enumName,
  json_schema as jsonSchema,
  required as requiredOption,
  schema_name as schemaName,
  whole_number as wholeNumber,
} from '@survey/proto/survey/options/v1/options_pb';
import { isFreeForm, isTimestamp } from '@survey/runtime/rest/json-form';
import type { Comments } from './proto-comments.ts';
import { requiredFields, rulesOf } from './rules.ts';

type Json = Record<string, unknown>;

/** The use of a schema. Requests omit members with defaults, patches can clear members, responses have all members. */
type Use = 'request' | 'patch' | 'response';

/** JSON Schemas of fields and messages. Throws if a comment is missing or a rule cannot be expressed. */
export interface Schemas {
  ofField(field: DescField, use: Use): Json;
  ofMessage(message: DescMessage, use: Use): Json;
  /** The schema of a body with these fields of a request. */
  ofBody(message: DescMessage, members: readonly DescField[], use: 'request' | 'patch'): Json;
  /** Whether the field is a required member. */
  isRequired(field: DescField, use: Use): boolean;
  /**
   * Referenced schemas by name. Create request schemas first: if a request and a response share a message, the first
   * schema is kept.
   */
  readonly components: Readonly<Record<string, Json>>;
}

/** Presence IMPLICIT of `google.protobuf.FeatureSet`: such a field is always written. */
const IMPLICIT = 2;

export function createSchemas(comments: Comments, components: Record<string, Json>): Schemas {
  const owners = new Map(Object.keys(components).map((name) => [name, name]));

  /** A reference to a component, which is created on first use. Owners of the same name must have equal schemas. */
  function refTo(name: string, owner: string, create: () => Json): Json {
    const other = owners.get(name);
    if (other === undefined) {
      owners.set(name, owner); // ends the recursion for recursive messages
      components[name] = create();
    } else if (other !== owner && !isDeepStrictEqual(components[name], create()))
      throw new Error(`${owner} and ${other} cannot both be the schema ${name}`);
    return { $ref: `#/components/schemas/${name}` };
  }

  function ofMessage(message: DescMessage, use: Use): Json {
    if (isTimestamp(message)) return { type: 'string', format: 'date-time' };
    if (isFreeForm(message)) return message.name === 'Struct' ? { type: 'object', additionalProperties: true } : {};
    const suffix = use === 'patch' ? 'Patch' : '';
    const name = hasOption(message, schemaName) ? getOption(message, schemaName) : message.name;
    return refTo(name + suffix, message.typeName + suffix, () => ofMembers(message, message.fields, use));
  }

  function ofMembers(message: DescMessage, members: readonly DescField[], use: Use): Json {
    const properties = members.map((field) => {
      const schema = ofField(field, use);
      const clearable = use === 'patch' && !requiredFields(message).has(field.name);
      const description = comments.of(`${message.typeName}.${field.name}`);
      return [field.name, { ...(clearable ? { anyOf: [schema, { type: 'null' }] } : schema), description }] as const;
    });
    const required = members.filter((field) => isRequired(field, use));
    return {
      type: 'object',
      description: comments.of(message.typeName),
      ...(required.length > 0 ? { required: required.map(({ name }) => name) } : {}),
      properties: Object.fromEntries(properties),
      // Responses can get new members.
      ...(use === 'response' ? {} : { additionalProperties: false }),
    };
  }

  function isRequired(field: DescField, use: Use): boolean {
    if (use === 'patch') return false;
    if (getOption(field, requiredOption)) return true;
    return use === 'request' ? requiredFields(field.parent).has(field.name) : field.presence === IMPLICIT;
  }

  function ofField(field: DescField, use: Use): Json {
    const { own, items, names } = rulesOf(field);
    // A patch replaces a list as a whole.
    const item = () => ofItem(field, items, use === 'patch' ? 'request' : use);
    switch (field.fieldKind) {
      case 'list':
        return { type: 'array', items: item(), ...own };
      case 'map':
        return {
          type: 'object',
          additionalProperties: item(),
          ...(Object.keys(names).length > 0 ? { propertyNames: names } : {}),
          ...own,
        };
      default:
        return ofItem(field, own, use);
    }
  }

  /** The schema of a value, or of an item of a list or map. */
  function ofItem(field: DescField, rules: Json, use: Use): Json {
    const schema = { ...ofType(field, use), ...rules };
    if (!hasOption(field, enumName)) return schema;
    const name = getOption(field, enumName);
    return refTo(name, `${field.parent.typeName}.${field.name}`, () => schema);
  }

  function refToComponent(name: string, { parent, name: member }: DescField): Json {
    if (components[name] === undefined) throw new Error(`${parent.typeName}.${member} has the unknown schema ${name}`);
    return { $ref: `#/components/schemas/${name}` };
  }

  function ofType(field: DescField, use: Use): Json {
    const { message, scalar } = field;
    if (hasOption(field, jsonSchema)) return refToComponent(getOption(field, jsonSchema), field);
    if (message !== undefined) return ofMessage(message, use);
    switch (scalar) {
      case ScalarType.STRING:
        return getOption(field, wholeNumber) ? { type: 'integer', format: 'int32', minimum: 1 } : { type: 'string' };
      case ScalarType.BOOL:
        return { type: 'boolean' };
      case ScalarType.DOUBLE:
        return { type: 'number' };
      case ScalarType.UINT32:
        return { type: 'integer', minimum: 0, maximum: 2 ** 32 - 1 };
      default:
        return { type: 'integer', format: 'int32' }; // routes have no other types
    }
  }

  return {
    ofField,
    ofMessage,
    ofBody: (message, members, use) => refTo(message.name, message.typeName, () => ofMembers(message, members, use)),
    isRequired,
    components,
  };
}
