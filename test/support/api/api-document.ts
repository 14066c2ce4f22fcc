import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Bodies of responses and requests by media type. */
export interface Content {
  readonly [mediaType: string]: {
    readonly schema?: object;
    readonly example?: unknown;
    readonly examples?: Readonly<Record<string, unknown>>;
  };
}

export interface DocumentedResponse {
  readonly description: string;
  readonly content?: Content;
}

/** A parameter. One in JSON has a `content` in place of a `schema`. */
interface Parameter {
  readonly name: string;
  readonly schema?: { readonly examples?: readonly unknown[] };
  readonly content?: Content;
}

/** The schema of a member of a body, as far as tests look into it. */
export interface MemberSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly maximum?: number;
  readonly minimum?: number;
  readonly items?: MemberSchema;
  readonly properties?: Readonly<Record<string, MemberSchema>>;
}

export interface Operation {
  readonly operationId: string;
  readonly description: string;
  /** Whether it has no side effects, although its method is not GET. */
  readonly 'x-safe'?: boolean;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Content };
  /** By status or range (`5XX`). Errors are references. */
  readonly responses: Readonly<Record<string, DocumentedResponse | { readonly $ref: string }>>;
}

/** The parts of an OpenAPI document that tests use. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly examples: Readonly<Record<string, { readonly value: unknown }>> };
}

/** Resolves a JSON pointer in a document. */
function at(document: object, pointer: string): unknown {
  const tokens = pointer.split('/').slice(1);
  return tokens.reduce(
    // Every value on the path is an object or undefined.
    (value: unknown, token) => (value as Record<string, unknown> | undefined)?.[fromToken(token)],
    document,
  );
}

/** Resolves a reference within a document. */
export function resolve<T extends object>(document: object, value: T | { readonly $ref: string }): T {
  // The document is valid, so the target has the expected type.
  return '$ref' in value ? (at(document, value.$ref.slice(1)) as T) : value;
}

/** Checks values against the schemas of a document. */
interface Schemas {
  /** Throws if a value does not match the schema at a JSON pointer. */
  check(pointer: string, value: unknown): void;
}

/** Unknown members are errors, including in responses, so new members must be documented. */
export function createSchemas(document: object): Schemas {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(strictly(document) as object, 'document');
  const checks = new Map<string, ValidateFunction>();

  function checkOf(pointer: string): ValidateFunction {
    const known = checks.get(pointer);
    if (known !== undefined) return known;
    const fragment = pointer.split('/').map(encodeURIComponent).join('/');
    const made = ajv.compile({ $ref: `document#${fragment}` });
    checks.set(pointer, made);
    return made;
  }

  return {
    check(pointer, value) {
      const check = checkOf(pointer);
      if (!check(value))
        throw new Error(`${JSON.stringify(value)} does not match ${pointer}: ${ajv.errorsText(check.errors)}`);
    },
  };
}

/** Escapes a token of a JSON pointer (RFC 6901). */
export function toToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function fromToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

function strictly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strictly);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, strictly(member)]));
  const isObjectSchema = 'type' in value && value.type === 'object' && 'properties' in value;
  const isOpen = isObjectSchema && !('additionalProperties' in value) && !('propertyNames' in value);
  return isOpen ? { ...members, additionalProperties: false } : members;
}
