import type { Schema } from './print-types.ts';

/** The members of the OpenAPI document that clients are made from. */
export interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, DescribedParameter>>;
  };
}

interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly description?: string;
  readonly security?: readonly unknown[];
  /** Whether it can be repeated. A GET always can. */
  readonly 'x-safe'?: boolean;
  readonly parameters?: readonly (DescribedParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

/** A parameter with the schema of its value, which is sent as it is or in JSON. */
interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** A parameter in the document: one in JSON has a `content` in place of a `schema`. */
type DescribedParameter = ApiParameter | (Omit<ApiParameter, 'schema'> & { readonly content: Content });

interface ApiResponse {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

/** An operation as a method of the client. */
export interface ClientOperation {
  /** Member of the client, such as `apiKeys`. */
  readonly resource: string;
  /** Method of the resource, such as `create`. */
  readonly name: string;
  readonly operationId: string;
  readonly description: string;
  readonly httpMethod: string;
  readonly path: string;
  /** Whether the operation needs no token. */
  readonly isPublic: boolean;
  /** Whether a request can be repeated, although its method is not GET. */
  readonly isSafe: boolean;
  readonly pathParameters: readonly ApiParameter[];
  readonly query: readonly ApiParameter[];
  readonly headers: readonly ApiParameter[];
  /** The JSON body, and whether callers must send it. Undefined if there is none, or if its schema has no members. */
  readonly input: { readonly schema: Schema; readonly mediaType: string; readonly isRequired: boolean } | undefined;
  /** Whether the body can be a file. */
  readonly takesFile: boolean;
  readonly reply: ClientReply;
}

/** The result of a method: one record, a list of several pages, bytes, or nothing. */
export type ClientReply =
  | { readonly kind: 'json'; readonly schema: Schema }
  /** `items` is the member of the body with the items. If it is undefined, the body is the list. */
  | { readonly kind: 'pages'; readonly schema: Schema; readonly items: string | undefined }
  | { readonly kind: 'stream' | 'none' };

/** Operations with this tag are for operators, so clients do not have them. */
const OMITTED_TAG = 'Platform';
/** Headers that methods cannot send. Callers that cache replies use `fetch`. */
const OMITTED_HEADERS = ['If-None-Match'];

/** Reads the operations of a client, in the order of the document. Throws if two have the same name. */
export function readOperations(document: ApiDocument): readonly ClientOperation[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([httpMethod, operation]) => {
      if (operation.operationId === undefined || operation.tags.includes(OMITTED_TAG)) return [];
      return [toOperation(document, path, httpMethod.toUpperCase(), operation)];
    }),
  );
  const names = new Set<string>();
  for (const { resource, name } of operations) {
    if (names.has(`${resource}.${name}`)) throw new Error(`two operations are named ${resource}.${name}`);
    names.add(`${resource}.${name}`);
  }
  return operations;
}

function toOperation(
  document: ApiDocument,
  path: string,
  httpMethod: string,
  operation: ApiOperation,
): ClientOperation {
  const [tag = ''] = operation.tags;
  const parameters = (operation.parameters ?? []).map((one) =>
    withSchema('$ref' in one ? resolve(document, one.$ref) : one),
  );
  const content = operation.requestBody?.content ?? {};
  return {
    resource: toCamelCase(tag),
    name: methodName(operation.operationId, tag),
    operationId: operation.operationId,
    description: operation.description ?? '',
    httpMethod,
    path,
    isPublic: operation.security?.length === 0,
    isSafe: operation['x-safe'] === true,
    pathParameters: parameters.filter((one) => one.in === 'path'),
    query: parameters.filter((one) => one.in === 'query'),
    headers: parameters.filter((one) => one.in === 'header' && !OMITTED_HEADERS.includes(one.name)),
    input: inputOf(content, operation.requestBody?.required === true),
    takesFile: Object.keys(content).some((type) => !isJson(type)),
    reply: replyOf(document, operation),
  };
}

function withSchema(parameter: DescribedParameter): ApiParameter {
  if ('schema' in parameter) return parameter;
  const { content, ...rest } = parameter;
  return { ...rest, schema: content['application/json']?.schema ?? {} };
}

function resolve(document: ApiDocument, reference: string): DescribedParameter {
  const found = document.components.parameters[reference.slice(reference.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`${reference} does not exist`);
  return found;
}

/** `getSurveyVersion` of `Surveys` becomes `getVersion`, `createApiKey` of `API keys` becomes `create`. */
function methodName(operationId: string, tag: string): string {
  const camelCase = toCamelCase(tag);
  const noun = camelCase.charAt(0).toUpperCase() + camelCase.slice(1).replace(/s$/, '');
  // Operations for respondents have `Public` in their names: `getPublicSurvey` becomes `getSurvey`.
  const redundant = tag === 'Respondents' ? 'Public' : noun;
  return operationId.replace(new RegExp(`(?<=[a-z])${redundant}s?(?=[A-Z]|$)`), '');
}

/** `API keys` becomes `apiKeys`. */
function toCamelCase(words: string): string {
  const [first = '', ...rest] = words.toLowerCase().split(/[ -]/);
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(mediaType);
}

function inputOf(content: Content, isRequired: boolean): ClientOperation['input'] {
  const [found] = Object.entries(content).filter(([type]) => isJson(type));
  const [mediaType = '', { schema = undefined } = {}] = found ?? [];
  const isEmpty = schema?.type === 'object' && schema.properties === undefined && schema.additionalProperties === false;
  const hasMembers = Object.keys(schema?.properties ?? {}).length > 0;
  if (schema === undefined || isEmpty || (schema.type === 'object' && !hasMembers && !schema.additionalProperties))
    return undefined;
  return { schema, mediaType, isRequired };
}

/** The reply of all successful statuses. 304 needs `If-None-Match`, which clients do not send. */
function replyOf(document: ApiDocument, { responses, requestBody }: ApiOperation): ClientReply {
  const successes = Object.entries(responses)
    .filter(([status]) => /^2/.test(status))
    .map(([, response]) => response);
  const contents = successes.flatMap(({ content = {} }) => Object.entries(content));
  if (contents.length === 0) return { kind: 'none' };
  if (contents.some(([type]) => !isJson(type))) return { kind: 'stream' };
  const schemas = contents.map(([, { schema = {} }]) => schema);
  const isList = schemas.every((schema) => schema.type === 'array');
  const hasPages = successes.some(({ headers = {} }) => 'Link' in headers);
  const [first = {}] = schemas;
  if (isList && hasPages && first.items) return { kind: 'pages', schema: first.items, items: undefined };
  const { cursor } = membersOf(document, requestBody?.content['application/json']?.schema);
  const { next_cursor: next, ...members } = membersOf(document, first);
  const [list, ...more] = Object.entries(members).filter(([, { items }]) => items);
  // The query form of a list has the cursors in its bodies.
  if (cursor !== undefined && next !== undefined && list?.[1].items && more.length === 0)
    return { kind: 'pages', schema: list[1].items, items: list[0] };
  return { kind: 'json', schema: schemas.length === 1 ? first : { anyOf: flatten(schemas) } };
}

/** The members of an object, also of a named schema. */
function membersOf({ components }: ApiDocument, schema: Schema = {}): Readonly<Record<string, Schema>> {
  const name = schema.$ref?.slice(schema.$ref.lastIndexOf('/') + 1);
  const { properties = {} } = (name === undefined ? schema : components.schemas[name]) ?? {};
  return properties;
}

/** The distinct alternatives of schemas. */
function flatten(schemas: readonly Schema[]): readonly Schema[] {
  const all = schemas.flatMap((schema) => (schema.anyOf === undefined ? [schema] : flatten(schema.anyOf)));
  return [...new Map(all.map((schema) => [JSON.stringify(schema), schema])).values()];
}
