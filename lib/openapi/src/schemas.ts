import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { isFreeForm, isTimestamp } from '@survey/runtime/rest/json-form';
import type { Comments } from './proto-comments.ts';
import { requiredFields, rulesOf } from './rules.ts';

type Json = Record<string, unknown>;

/** What JSON is for: requests leave out what has a default, patches may clear members, responses have all of them. */
type Use = 'request' | 'patch' | 'response';

/** JSON Schemas of fields and messages. Making one throws when something has no comment, or rules without a word. */
export interface Schemas {
  ofField(field: DescField, use: Use): Json;
  ofMessage(message: DescMessage, use: Use): Json;
  ofMembers(message: DescMessage, members: readonly DescField[], use: Use): Json;
  /** Schemas that others refer to, by name; those of requests have to be made first, for messages that both have. */
  readonly components: Readonly<Record<string, Json>>;
}

/** `FieldDescriptorProto` presence IMPLICIT of `google.protobuf.FeatureSet`: such a field is always written. */
const IMPLICIT = 2;

export function createSchemas(comments: Comments, components: Record<string, Json>): Schemas {
  const owners = new Map(Object.keys(components).map((name) => [name, name]));

  /** A reference to the message's schema, which is made when it is met first. */
  function ofMessage(message: DescMessage, use: Use): Json {
    if (isTimestamp(message)) return { type: 'string', format: 'date-time' };
    if (isFreeForm(message)) return message.name === 'Struct' ? { type: 'object', additionalProperties: true } : {};
    const suffix = use === 'patch' ? 'Patch' : '';
    const [name, owner] = [message.name + suffix, message.typeName + suffix];
    const other = owners.get(name);
    if (other !== undefined && other !== owner)
      throw new Error(`${owner} and ${other} cannot both be the schema ${name}`);
    if (other === undefined) {
      owners.set(name, owner); // ends the walk where messages nest in themselves
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
      // Answers may grow.
      ...(use === 'response' ? {} : { additionalProperties: false }),
    };
  }

  function ofField(field: DescField, use: Use): Json {
    const { own, items, names } = rulesOf(field);
    // A list is patched as a whole.
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
        return { type: 'integer', format: 'int32' }; // what else a route may have
    }
  }

  return { ofField, ofMessage, ofMembers, components };
}
