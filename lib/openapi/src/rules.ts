import { create, type DescField, type DescMessage, getOption, hasOption } from '@bufbuild/protobuf';
import { isReflectList, isReflectMessage, type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import { createValidator } from '@bufbuild/protovalidate';
import { FieldRulesSchema, field as fieldRules } from '@survey/proto/buf/validate/validate_pb';

type Json = Record<string, unknown>;

/** The `buf.validate` rules of a field in the words of JSON Schema. */
interface RuleWords {
  readonly own: Json;
  /** About each item of a list, or value of a map. */
  readonly items: Json;
  /** About each name in a map. */
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

/** Keywords that say the same as a rule, by the kind of field. */
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

/** The rules of a field. Throws for a rule that JSON Schema has no word for: its readers would not learn of it. */
export function rulesOf(field: DescField): RuleWords {
  const rules = hasOption(field, fieldRules) ? getOption(field, fieldRules) : create(FieldRulesSchema);
  return toWords(reflect(FieldRulesSchema, rules), `${field.parent.typeName}.${field.name}`);
}

/** Names of the fields that a message cannot do without: those at fault when nothing is set. */
export function requiredFields(message: DescMessage): ReadonlySet<string> {
  const { violations = [] } = createValidator().validate(message, create(message));
  return new Set(violations.flatMap(({ field: [part] }) => (part?.kind === 'field' ? [part.name] : [])));
}

function toWords(rules: ReflectMessage, name: string): RuleWords {
  const words = { own: {} as Json, items: {} as Json, names: {} as Json };
  for (const [kind, typed] of setFields(rules)) {
    if (kind === 'required') continue; // that is said where the field is a member
    if (!isReflectMessage(typed)) throw new Error(`${name}: the rule ${kind} cannot be documented`);
    for (const [rule, value] of setFields(typed)) {
      const keyword = KEYWORDS[kind]?.[rule];
      if (keyword !== undefined) words.own[keyword] = toJson(value);
      else if (kind === 'string' && FORMATS.includes(rule)) words.own['format'] = rule;
      else if (isReflectMessage(value) && (rule === 'items' || rule === 'values'))
        words.items = toWords(value, name).own;
      else if (isReflectMessage(value) && rule === 'keys') words.names = toWords(value, name).own;
      else throw new Error(`${name}: the rule ${kind}.${rule} cannot be documented`);
    }
  }
  return words;
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
