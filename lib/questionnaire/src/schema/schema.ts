import type { LintCode } from '../lint/lint-codes.ts';

/** The problem of a value that does not fit its schema. */
export interface Fault {
  readonly code: LintCode;
  /** For people. `name` is the member: `title`, or `every item of pages`. */
  detail(name: string): string;
  /** A draft can be stored with problems that block only publishing. */
  readonly blocks: 'storing' | 'publishing';
  /** Whether stored values with this fault are used: an earlier release accepted them. */
  readonly isTolerated?: true;
  /** The allowed values, to suggest a similar one. */
  readonly names?: readonly string[];
}

/** Description of a value for documents. */
export interface Notes {
  /** In Markdown. */
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
}

interface Common extends Notes {
  /** Reported for a value that does not fit. Without it, the fault of the enclosing value is reported. */
  readonly fault?: Fault;
}

/** Any JSON value. */
export interface AnySchema extends Notes {
  readonly kind: 'any';
}

export interface NullSchema extends Common {
  readonly kind: 'null';
}

export interface BooleanSchema extends Common {
  readonly kind: 'boolean';
}

export interface StringSchema extends Common {
  readonly kind: 'string';
  readonly enum?: readonly string[];
  readonly pattern?: RegExp;
  readonly maxLength?: number;
  /** Reported for a string that is not in `enum` or does not match `pattern`. Without it, `fault` is reported. */
  readonly malformed?: Fault;
  /** For documents only. */
  readonly format?: string;
}

export interface NumberSchema extends Common {
  readonly kind: 'number';
  readonly integer?: true;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  /** Reported for a number above `maximum`. Without it, `fault` is reported. */
  readonly excess?: Fault;
}

/** A string, or an object with a string for each language. */
export interface TextSchema extends Common {
  readonly kind: 'text';
  /** Reported if all strings are blank. */
  readonly blank?: Fault;
}

export interface ListSchema extends Common {
  readonly kind: 'list';
  readonly items: Schema;
  /** Reported for a list without items. */
  readonly empty?: Fault;
  readonly maxItems?: number;
}

/** An object with members of any name. */
export interface MapSchema extends Common {
  readonly kind: 'map';
  readonly values: Schema;
}

/** An object with known members. Other members are reported as `UNKNOWN_MEMBER`. */
export interface ObjectSchema extends Common {
  readonly kind: 'object';
  /** Its name in JSON Schema and OpenAPI: `SurveyPage`. */
  readonly title: string;
  /** Its name in error details: `a page`. */
  readonly noun: string;
  /** Describes a member with this object, if several members have objects of this schema. */
  readonly memberDescription?: string;
  readonly members: Members;
  /** Names of members that have no effect, so they can have any value. */
  readonly ignored: readonly string[];
}

/** Values of several JSON types. */
export interface UnionSchema extends Common {
  readonly kind: 'union';
  readonly of: readonly Schema[];
}

/** Objects that differ by their member `type`. */
export interface VariantsSchema extends Common {
  readonly kind: 'variants';
  /** Its name in JSON Schema and OpenAPI. */
  readonly title: string;
  /** By the value of `type`. */
  readonly variants: Readonly<Record<string, ObjectSchema>>;
  /** For an object whose type is missing or unknown. It has the members that all variants have. */
  readonly fallback: ObjectSchema;
}

export type Schema =
  | AnySchema
  | NullSchema
  | BooleanSchema
  | StringSchema
  | NumberSchema
  | TextSchema
  | ListSchema
  | MapSchema
  | ObjectSchema
  | UnionSchema
  | VariantsSchema;

export interface Member {
  readonly schema: Schema;
  /** Reported if the member is missing or null. Without it, the member is optional. */
  readonly missing?: Fault;
}

export type Members = Readonly<Record<string, Member>>;

/** A schema with the type of its values: `valueType` is never set. */
export type SchemaOf<Value, Kind extends Schema = Schema> = Kind & { readonly valueType?: Value };

/** The type of the values of a schema. */
export type ValueOf<Typed> = Typed extends { readonly valueType?: infer Value } ? Value : never;

type RequiredMember<Value> = Member & { readonly schema: SchemaOf<Value>; readonly missing: Fault };
export type MemberSchemas = Readonly<Record<string, SchemaOf<unknown> | RequiredMember<unknown>>>;

/** The type of an object. Optional members can be null, which means the same as missing. */
export type ObjectOf<Named extends MemberSchemas> = {
  readonly [Name in keyof Named as Named[Name] extends RequiredMember<unknown>
    ? Name
    : never]: Named[Name] extends RequiredMember<infer Value> ? Value : never;
} & {
  readonly [Name in keyof Named as Named[Name] extends RequiredMember<unknown> ? never : Name]?: ValueOf<
    Named[Name]
  > | null;
};

export type Translations = { readonly [language: string]: string };

/** A text in one or several languages. */
export type Text = string | Translations;

type Options<Kind extends Schema> = Omit<Kind, 'kind'>;

export function anyValue(notes: Notes = {}): SchemaOf<unknown> {
  return { kind: 'any', ...notes };
}

export const nullValue: SchemaOf<null> = { kind: 'null' };

export function boolean(options: Options<BooleanSchema>): SchemaOf<boolean> {
  return { kind: 'boolean', ...options };
}

export function string(options: Options<StringSchema> = {}): SchemaOf<string> {
  return { kind: 'string', ...options };
}

export function oneOf<const Name extends string>(
  names: readonly Name[],
  options: Options<StringSchema>,
): SchemaOf<Name> {
  return { kind: 'string', enum: names, ...options };
}

export function number(options: Options<NumberSchema> = {}): SchemaOf<number> {
  return { kind: 'number', ...options };
}

export function text(options: Options<TextSchema>): SchemaOf<Text> {
  return { kind: 'text', ...options };
}

export function list<Item>(
  items: SchemaOf<Item>,
  options: Omit<Options<ListSchema>, 'items'>,
): SchemaOf<readonly Item[]> {
  return { kind: 'list', items, ...options };
}

export function map<Value>(
  values: SchemaOf<Value>,
  options: Omit<Options<MapSchema>, 'values'> = {},
): SchemaOf<{ readonly [name: string]: Value }> {
  return { kind: 'map', values, ...options };
}

export function union<const Kinds extends readonly SchemaOf<unknown>[]>(
  of: Kinds,
  options: Omit<Options<UnionSchema>, 'of'>,
): SchemaOf<ValueOf<Kinds[number]>> {
  return { kind: 'union', of, ...options };
}

export function required<Value>(schema: SchemaOf<Value>, missing: Fault): RequiredMember<Value> {
  return { schema, missing };
}

export function object<const Named extends MemberSchemas>(
  options: Omit<Options<ObjectSchema>, 'members' | 'ignored'> & {
    readonly members: Named;
    readonly ignored?: readonly string[];
  },
): SchemaOf<ObjectOf<Named>, ObjectSchema> {
  return {
    kind: 'object',
    ignored: [],
    ...options,
    members: Object.fromEntries(
      Object.entries(options.members).map(([name, given]) => [name, 'schema' in given ? given : { schema: given }]),
    ),
  };
}

/** Objects of several types. A member that only other types have is ignored. */
export function variants<const Objects extends Readonly<Record<string, SchemaOf<unknown, ObjectSchema>>>>(
  all: Objects,
  options: Omit<Options<VariantsSchema>, 'variants' | 'fallback'>,
): SchemaOf<ValueOf<Objects[keyof Objects]>, VariantsSchema> {
  const objects = Object.values<ObjectSchema>(all);
  const names = [...new Set(objects.flatMap(({ members }) => Object.keys(members)))];
  const ignoringOthers = (variant: ObjectSchema, members: Members): ObjectSchema => ({
    ...variant,
    members,
    ignored: names.filter((name) => !Object.hasOwn(members, name)),
  });
  const shared = (members: Members): Members =>
    Object.fromEntries(
      Object.entries(members).filter(([name]) => objects.every((variant) => Object.hasOwn(variant.members, name))),
    );
  const [first] = objects;
  if (first === undefined) throw new Error(`${options.title} has no variant`);
  return {
    kind: 'variants',
    variants: Object.fromEntries(
      Object.entries<ObjectSchema>(all).map(([type, variant]) => [type, ignoringOthers(variant, variant.members)]),
    ),
    fallback: ignoringOthers(first, shared(first.members)),
    ...options,
  };
}

/** `name must be …`. */
export function mustBe(code: LintCode, expected: string, blocks: Fault['blocks'] = 'publishing'): Fault {
  return {
    code,
    detail: (name) => `${name} must be ${expected}`,
    blocks,
  };
}

/** `name must be one of …`. */
export function mustBeOneOf(code: LintCode, names: readonly string[], blocks: Fault['blocks'] = 'publishing'): Fault {
  return { ...mustBe(code, `one of ${names.join(', ')}`, blocks), names };
}

export function fault(code: LintCode, detail: string, blocks: Fault['blocks'] = 'publishing'): Fault {
  return {
    code,
    detail: () => detail,
    blocks,
  };
}

export const missingMember: Fault = {
  code: 'MISSING_MEMBER',
  detail: (name) => `${name} is missing`,
  blocks: 'storing',
};
