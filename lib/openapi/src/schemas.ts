import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
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
  ofMembers(message: DescMessage, members: readonly DescField[], use: Use): Json;
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

  /** A reference to the schema of a message, which is created on first use. */
  function ofMessage(message: DescMessage, use: Use): Json {
    if (isTimestamp(message)) return { type: 'string', format: 'date-time' };
    if (isFreeForm(message)) return message.name === 'Struct' ? { type: 'object', additionalProperties: true } : {};
    const suffix = use === 'patch' ? 'Patch' : '';
    const [name, owner] = [message.name + suffix, message.typeName + suffix];
    const other = owners.get(name);
    if (other !== undefined && other !== owner)
      throw new Error(`${owner} and ${other} cannot both be the schema ${name}`);
    if (other === undefined) {
      owners.set(name, owner); // ends the recursion for recursive messages
      components[name] = ofMembers(message, message.fields, use);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  function ofMembers(message: DescMessage, members: readonly DescField[], use: Use): Json {
    const needed = requiredFields(message);
    const properties = members.map((field) => {
      const schema = ofField(field, use);
      const clearable = use === 'patch' && !needed.has(field.name);
      const description = comments.of(`${message.typeName}.${field.name}`);
      return [field.name, { ...(clearable ? { anyOf: [schema, { type: 'null' }] } : schema), description }] as const;
    });
    const required = members.filter(({ name, presence }) =>
      use === 'request' ? needed.has(name) : use === 'response' && presence === IMPLICIT,
    );
    return {
      type: 'object',
      description: comments.of(message.typeName),
      ...(required.length > 0 ? { required: required.map(({ name }) => name) } : {}),
      properties: Object.fromEntries(properties),
      // Responses can get new members.
      ...(use === 'response' ? {} : { additionalProperties: false }),
    };
  }

  function ofField(field: DescField, use: Use): Json {
    const { own, items, names } = rulesOf(field);
    // A patch replaces a list as a whole.
    const item = () => ({ ...ofItem(field, use === 'patch' ? 'request' : use), ...items });
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
        return { ...ofItem(field, use), ...own };
    }
  }

  function ofItem({ message, scalar }: DescField, use: Use): Json {
    if (message !== undefined) return ofMessage(message, use);
    switch (scalar) {
      case ScalarType.STRING:
        return { type: 'string' };
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

  return { ofField, ofMessage, ofMembers, components };
}
