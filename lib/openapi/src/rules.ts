import { create, type DescField, type DescMessage, getOption, hasOption } from '@bufbuild/protobuf';
import { isReflectList, isReflectMessage, type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import { createValidator } from '@bufbuild/protovalidate';
import { FieldRulesSchema, field as fieldRules } from '@survey/proto/buf/validate/validate_pb';

type Json = Record<string, unknown>;

/** The `buf.validate` rules of a field as keywords of JSON Schema. */
interface RuleKeywords {
  /** For the field itself. */
  readonly own: Json;
  /** For each item of a list, or value of a map. */
  readonly items: Json;
  /** For each key of a map. */
  readonly names: Json;
}

const NUMBER: Readonly<Record<string, string>> = {
  const: 'const',
  gt: 'exclusiveMinimum',
  gte: 'minimum',
  lt: 'exclusiveMaximum',
  lte: 'maximum',
  in: 'enum',
};

/** Keywords equivalent to rules, by the type of the field. */
const KEYWORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  string: { const: 'const', min_len: 'minLength', max_len: 'maxLength', pattern: 'pattern', in: 'enum' },
  int32: NUMBER,
  uint32: NUMBER,
  double: NUMBER,
  bool: { const: 'const' },
  repeated: { min_items: 'minItems', max_items: 'maxItems', unique: 'uniqueItems' },
  map: { min_pairs: 'minProperties', max_pairs: 'maxProperties' },
};

const FORMATS = ['uuid', 'email', 'uri', 'hostname'];

/**
 * Converts the rules of a field. Throws for a rule that JSON Schema cannot express, because the document would omit it.
 */
export function rulesOf(field: DescField): RuleKeywords {
  const rules = hasOption(field, fieldRules) ? getOption(field, fieldRules) : create(FieldRulesSchema);
  return toKeywords(reflect(FieldRulesSchema, rules), `${field.parent.typeName}.${field.name}`);
}

/** The required fields of a message: those that are invalid in an empty message. */
export function requiredFields(message: DescMessage): ReadonlySet<string> {
  const { violations = [] } = createValidator().validate(message, create(message));
  return new Set(violations.flatMap(({ field: [part] }) => (part?.kind === 'field' ? [part.name] : [])));
}

function toKeywords(rules: ReflectMessage, name: string): RuleKeywords {
  const keywords = { own: {} as Json, items: {} as Json, names: {} as Json };
  for (const [kind, typeRules] of setFields(rules)) {
    if (kind === 'required') continue; // `requiredFields` documents it
    if (!isReflectMessage(typeRules)) throw new Error(`${name}: the rule ${kind} cannot be documented`);
    for (const [rule, value] of setFields(typeRules)) {
      const keyword = KEYWORDS[kind]?.[rule];
      if (keyword !== undefined) keywords.own[keyword] = toJson(value);
      else if (kind === 'string' && FORMATS.includes(rule)) keywords.own['format'] = rule;
      else if (isReflectMessage(value) && (rule === 'items' || rule === 'values'))
        keywords.items = toKeywords(value, name).own;
      else if (isReflectMessage(value) && rule === 'keys') keywords.names = toKeywords(value, name).own;
      else throw new Error(`${name}: the rule ${kind}.${rule} cannot be documented`);
    }
  }
  return keywords;
}

function setFields(message: ReflectMessage): readonly (readonly [string, unknown])[] {
  return message.fields
    .filter((field) => message.isSet(field))
    .map((field) => [field.name, message.get(field)] as const);
}

function toJson(value: unknown): unknown {
  if (isReflectList(value)) return [...value];
  return typeof value === 'bigint' ? Number(value) : value;
}
