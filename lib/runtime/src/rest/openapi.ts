import { type DescField, type DescMethod, type DescService, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { reasons } from '../errors/reasons.ts';
import { createHeaderRules, type HeaderRules, headerComponents, parameterComponents } from './openapi-headers.ts';
import { problemSchema } from './openapi-problem.ts';
import { requiredFields } from './openapi-rules.ts';
import { createSchemas, type Schemas } from './openapi-schemas.ts';
import { type Comments, readComments } from './proto-comments.ts';
import { type Route, routesOf } from './route.ts';

type Json = Record<string, unknown>;

interface Document {
  readonly comments: Comments;
  readonly schemas: Schemas;
  readonly headers: HeaderRules;
}

/**
 * The OpenAPI 3.1 document of some services, from the same descriptors that serve them. Throws when something in it has
 * no comment, when two operations or two messages would have one name, or when a rule cannot be said in JSON Schema.
 *
 * @param descriptorSet a `google.protobuf.FileDescriptorSet` with source info: the comments become the descriptions
 */
export function buildOpenApi(services: readonly DescService[], descriptorSet: Uint8Array): Json {
  const comments = readComments(fromBinary(FileDescriptorSetSchema, descriptorSet));
  const routes = routesOf(services);
  const schemas = createSchemas(comments, { Problem: { ...problemSchema } });
  const document: Document = { comments, schemas, headers: createHeaderRules(routes) };
  checkOperationIds(routes);
  const requests = routes.map((route) => [route, requestOf(route, document)] as const);
  const paths: Record<string, Json> = {};
  for (const [route, request] of requests) {
    paths[route.template] = {
      ...paths[route.template],
      [route.httpMethod.toLowerCase()]: operationOf(route, request, document),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Survey platform',
      version: 'v1',
      description:
        'Define surveys, collect responses, read them, and get signed webhooks. `/api/v1` is the same API. JSON may be ' +
        'nested 64 deep, its numbers lie within ±(2^53 - 1), and no object has two members of one name, or one that ' +
        'is not described here.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: services
      .filter((service) => routes.some(({ method }) => method.parent === service))
      .map((service) => ({ name: tagOf(service), description: comments.of(service.typeName) })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      responses: Object.fromEntries(
        [...new Set(routes.flatMap((route) => failureCodes(route, document)))]
          .sort()
          .map((status) => [`Problem${status}`, failure(status)]),
      ),
      headers: headerComponents,
      parameters: parameterComponents,
      schemas: Object.fromEntries(Object.entries(schemas.components).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function checkOperationIds(routes: readonly Route[]): void {
  const known = new Map<string, DescMethod>();
  for (const { method } of routes) {
    const other = known.get(method.localName);
    if (other !== undefined)
      throw new Error(`${nameOf(method)} and ${nameOf(other)} cannot both be the operation ${method.localName}`);
    known.set(method.localName, method);
  }
}

function operationOf(route: Route, request: Json, document: Document): Json {
  const { method, access } = route;
  const description = document.comments.of(nameOf(method));
  const permission = access.kind === 'permission' ? `\n\nNeeds the permission \`${access.permission}\`.` : '';
  return {
    operationId: method.localName,
    tags: [tagOf(method.parent)],
    summary: firstSentence(description),
    description: description + permission,
    security: access.kind === 'public' ? [] : [{ bearer: [] }],
    ...request,
    responses: responsesOf(route, document),
  };
}

/** Parameters and body of an operation, where it has any. */
function requestOf(route: Route, document: Document): Json {
  const needed = requiredFields(route.method.input);
  const parameter = (field: DescField, place: 'path' | 'query') => ({
    name: field.name,
    in: place,
    required: place === 'path' || needed.has(field.name),
    description: document.comments.of(`${field.parent.typeName}.${field.name}`),
    schema: document.schemas.ofField(field, 'request'),
  });
  const parameters = [
    ...route.segments.flatMap((segment) => ('field' in segment ? [parameter(segment.field, 'path')] : [])),
    ...[...route.query.values()].map((field) => parameter(field, 'query')),
    ...[...(route.file?.fields.values() ?? [])].map((field) => ({
      ...parameter(field, 'query'),
      required: false,
      description: `With a file as the body. ${document.comments.of(`${field.parent.typeName}.${field.name}`)}`,
    })),
    ...document.headers.parametersOf(route),
  ];
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.takesBody ? { requestBody: requestBodyOf(route, document) } : {}),
  };
}

function requestBodyOf({ body, members, httpMethod, method, file }: Route, { schemas }: Document): Json {
  if (body === undefined) return { required: false, content: { '*/*': {} } };
  const isPatch = httpMethod === 'PATCH';
  const schema =
    body === '*'
      ? schemas.ofMembers(method.input, members, isPatch ? 'patch' : 'request')
      : schemas.ofField(body, 'request');
  const required = body === '*' ? 'required' in schema : requiredFields(method.input).has(body.name);
  const types = isPatch ? ['application/merge-patch+json', 'application/json'] : ['application/json'];
  const asItIs = file === undefined ? {} : { '*/*': {} };
  return { required, content: { ...Object.fromEntries(types.map((type) => [type, { schema }])), ...asItIs } };
}

function responsesOf(route: Route, document: Document): Json {
  const { successCode } = route;
  const paged = route.method.output.fields.some(({ name }) => name === 'next_cursor');
  const link = { Link: { description: 'The next page, `rel="next"`.', schema: { type: 'string' } } };
  const success: Json = {
    description: successCode === 204 ? 'Done.' : document.comments.of(route.method.output.typeName),
    headers: { ...REQUEST_ID, ...document.headers.answersOf(route), ...(paged ? link : {}) },
    ...(successCode === 204 ? {} : { content: contentOf(route, document) }),
  };
  const failures = failureCodes(route, document).map((status) => [
    status,
    { $ref: `#/components/responses/Problem${status}` },
  ]);
  return { [String(successCode)]: success, ...laterAnswersOf(route, document), ...Object.fromEntries(failures) };
}

/** What a file is answered with that takes longer, or of which nothing was made. */
function laterAnswersOf({ file, successCode, method: { output }, responseBody }: Route, { schemas }: Document): Json {
  const accepted = file && output.fields.find((field) => field !== responseBody && field.message !== undefined);
  if (accepted === undefined || responseBody === undefined) return {};
  const location = { Location: { description: 'Where it can be followed.', schema: { type: 'string' } } };
  const [body, later] = [responseBody, accepted].map((field) => schemas.ofField(field, 'response'));
  return {
    '200': {
      description: successCode === 200 ? 'Done.' : 'Done; nothing was created.',
      headers: REQUEST_ID,
      content: { 'application/json': { schema: { anyOf: [body, later] } } },
    },
    '202': {
      description: 'Accepted.',
      headers: { ...REQUEST_ID, ...location },
      content: { 'application/json': { schema: later } },
    },
  };
}

function contentOf({ raw, method: { output }, responseBody }: Route, { schemas }: Document): Json {
  // Bytes, unless the handler has something to answer with.
  if (raw && output.fields.length === 0) return { '*/*': {} };
  const schema =
    responseBody === undefined ? schemas.ofMessage(output, 'response') : schemas.ofField(responseBody, 'response');
  return { 'application/json': { schema } };
}

/** What a route can answer besides success, by what it takes and who may call it. */
function failureCodes(route: Route, { headers }: Document): readonly number[] {
  const { access, segments, httpMethod, takesBody, raw, file } = route;
  const secured = access.kind === 'public' ? [] : [401];
  const permitted = access.kind === 'permission' ? [403] : [];
  const named = segments.some((segment) => 'field' in segment) ? [404] : [];
  const negotiated = raw && file === undefined ? [] : [406];
  const writes = httpMethod === 'GET' ? [] : [409];
  const conditional = headers.isConditional(route) ? [412] : [];
  const sends = takesBody ? [413, 415] : [];
  return [
    400,
    ...secured,
    ...permitted,
    ...named,
    ...negotiated,
    ...writes,
    ...conditional,
    ...sends,
    422,
    429,
    500,
    503,
    504,
  ];
}

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } } as const;
const RETRY_AFTER = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } } as const;
const RATE_LIMIT = {
  RateLimit: { description: 'What is left of which quota, and for how many seconds.', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'The quota: requests in so many seconds.', schema: { type: 'string' } },
} as const;

function failure(status: number): Json {
  const codes = Object.entries(reasons)
    .filter(([, reason]) => reason.status === status)
    .map(([code]) => `\`${code}\``);
  return {
    description: codes.join(', '),
    headers: {
      ...REQUEST_ID,
      ...(status === 429 || status === 503 ? RETRY_AFTER : {}),
      ...(status === 429 ? RATE_LIMIT : {}),
    },
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function nameOf(method: DescMethod): string {
  return `${method.parent.typeName}.${method.name}`;
}

function tagOf(service: DescService): string {
  return service.name.replace(/Service$/, '');
}

function firstSentence(text: string): string {
  return /^[^.]*\.?/.exec(text)?.[0].replace(/\.$/, '') ?? '';
}
