/** A JSON Schema of the OpenAPI document or of the event catalog. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema | false;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const INDENT = '  ';
const REFERENCE = '#/components/schemas/';

/** Prints an interface with the properties of an object schema, and a comment. */
export function printInterface(name: string, schema: Schema, parent?: string): string {
  const extension = parent === undefined ? '' : ` extends ${parent}`;
  return `${printComment(schema.description)}export interface ${name}${extension} ${printObject(schema, '')}`;
}

/** Prints a named type: an interface for an object schema, an alias otherwise. */
export function printNamedType(name: string, schema: Schema): string {
  if (schema.type === 'object' && schema.properties !== undefined) return printInterface(name, schema);
  return `${printComment(schema.description)}export type ${name} = ${printType(schema)};`;
}

/** Prints the TypeScript type of a schema. Throws on a schema that it cannot express. */
export function printType(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(REFERENCE.length);
  if (schema.const !== undefined) return printLiteral(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(printLiteral).join(' | ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return unique(alternatives.map((one) => printType(one, indent))).join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((one) => inBrackets(printType(one, indent))).join(' & ');
  if (Array.isArray(schema.type))
    return unique(schema.type.map((type) => printType({ ...schema, type }, indent))).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return schema.items ? `${inBrackets(printType(schema.items, indent))}[]` : 'unknown[]';
    case 'object':
      return printObject(schema, indent);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`no TypeScript type for ${JSON.stringify(schema)}`);
  }
}

/** Prints a JSDoc comment, or nothing. Backticks and lists of descriptions are Markdown, as in JSDoc. */
export function printComment(text: string | undefined, indent = ''): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line && ` ${line}`}\n`).join('')}${indent} */\n`;
}

function printObject({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = indent + INDENT;
  const members = Object.entries(properties).map(([name, member]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${printComment(member.description, inner)}${inner}${printName(name)}${mark}: ${printType(member, inner)};\n`;
  });
  if (members.length > 0) return `{\n${members.join('')}${indent}}`;
  const value = typeof additionalProperties === 'object' ? printType(additionalProperties, indent) : 'unknown';
  return additionalProperties === false ? 'Record<string, never>' : `Record<string, ${value}>`;
}

/** Prints the name of a property, in quotes if needed. */
export function printName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : printLiteral(name);
}

function printLiteral(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);
}

function inBrackets(type: string): string {
  return type.includes(' | ') ? `(${type})` : type;
}

function unique(types: readonly string[]): readonly string[] {
  return [...new Set(types)];
}
