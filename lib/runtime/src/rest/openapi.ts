import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  ScalarType,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { reasons } from '../errors/reasons.ts';
import { fieldRulesSchema, isRequired } from './openapi-rules.ts';
import { type Comments, readComments } from './proto-comments.ts';
import { type Route, routesOf } from './route.ts';

type Json = Record<string, unknown>;

interface Document {
  readonly comments: Comments;
  /** Schemas of `components`, by name, as they are met. */
  readonly schemas: Record<string, Json>;
}

/**
 * The OpenAPI 3.1 document of some services, from the same descriptors that serve them.
 *
 * @param descriptorSet a `google.protobuf.FileDescriptorSet` with source info: the comments become the descriptions
 */
export function buildOpenApi(services: readonly DescService[], descriptorSet: Uint8Array): Json {
  const comments = readComments(fromBinary(FileDescriptorSetSchema, descriptorSet));
  const document: Document = { comments, schemas: { Problem: problemSchema } };
  const paths: Record<string, Json> = {};
  for (const route of routesOf(services)) {
    paths[route.template] = {
      ...paths[route.template],
      [route.httpMethod.toLowerCase()]: operationOf(route, document),
    };
  }
  const tags = services
    .filter((service) =>
      service.methods.some((method) => routeTag(method) === routeTagOf(service) && hasRoute(method, paths)),
    )
    .map((service) => ({ name: routeTagOf(service), description: comments.of(service.typeName) }));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Survey platform',
      version: 'v1',
      description: 'Define surveys, collect responses, read them, and get signed webhooks. `/api/v1` is the same API.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags,
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: Object.fromEntries(Object.entries(document.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function operationOf(route: Route, document: Document): Json {
  const { method, access } = route;
  const description = document.comments.of(`${method.parent.typeName}.${method.name}`);
  const permission = access.kind === 'permission' ? `\n\nNeeds the permission \`${access.permission}\`.` : '';
  const parameters = [
    ...route.segments.flatMap((segment) => ('field' in segment ? [parameterOf(segment.field, 'path', document)] : [])),
    ...[...route.query.values()].map((field) => parameterOf(field, 'query', document)),
  ];
  return {
    operationId: method.localName,
    tags: [routeTag(method)],
    summary: firstSentence(description),
    description: description + permission,
    security: access.kind === 'public' ? [] : [{ bearer: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body === undefined ? {} : { requestBody: requestBodyOf(route, document) }),
    responses: responsesOf(route, document),
  };
}

function parameterOf(field: DescField, place: 'path' | 'query', document: Document): Json {
  return {
    name: field.name,
    in: place,
    required: place === 'path',
    description: document.comments.of(nameOf(field)),
    schema: fieldSchema(field, document),
  };
}

function requestBodyOf(route: Route, document: Document): Json {
  const bound = new Set(route.segments.flatMap((segment) => ('field' in segment ? [segment.field.name] : [])));
  const { input } = route.method;
  const schema =
    route.body === '*' || route.body === undefined
      ? objectSchema(
          input,
          input.fields.filter(({ name }) => !bound.has(name)),
          document,
        )
      : fieldSchema(route.body, document);
  const required = Array.isArray(schema['required']) && schema['required'].length > 0;
  return { required, content: { 'application/json': { schema } } };
}

function responsesOf(route: Route, document: Document): Json {
  const schema =
    route.responseBody === undefined
      ? schemaOf(route.method.output, document)
      : fieldSchema(route.responseBody, document);
  const paged = route.method.output.fields.some(({ name }) => name === 'next_cursor');
  const link = { Link: { description: 'The next page, `rel="next"`.', schema: { type: 'string' } } };
  const success: Json = {
    description: route.successCode === 204 ? 'Done.' : document.comments.of(route.method.output.typeName),
    ...(paged ? { headers: link } : {}),
    ...(route.successCode === 204 ? {} : { content: { 'application/json': { schema } } }),
  };
  const failures = failureCodes(route).map((status) => [String(status), failure(status)] as const);
  return { [String(route.successCode)]: success, ...Object.fromEntries(failures) };
}

/** What a route can answer besides success, by what it takes and who may call it. */
function failureCodes(route: Route): readonly number[] {
  const secured = route.access.kind === 'public' ? [] : [401];
  const permitted = route.access.kind === 'permission' ? [403] : [];
  const named = route.segments.some((segment) => 'field' in segment) ? [404] : [];
  const writes = route.httpMethod === 'GET' ? [] : [409];
  const sends = route.body === undefined ? [] : [413, 415];
  return [400, ...secured, ...permitted, ...named, 406, ...writes, ...sends, 422, 429, 500, 503, 504];
}

function failure(status: number): Json {
  const codes = Object.entries(reasons)
    .filter(([, reason]) => reason.status === status)
    .map(([code]) => `\`${code}\``);
  return {
    description: codes.join(', '),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

const text = { type: 'string' } as const;

/** RFC 9457, with our members. */
const problemSchema: Json = {
  type: 'object',
  description: 'What went wrong (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { ...text, description: 'A URN of the code.' },
    title: { ...text, description: 'The code as words.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { ...text, description: 'What went wrong, for people.' },
    code: { ...text, description: 'A stable code.', enum: Object.keys(reasons) },
    request_id: { ...text, description: 'Names the request in our logs.' },
    errors: {
      type: 'array',
      description: 'The fields at fault.',
      items: {
        type: 'object',
        required: ['path', 'code', 'detail'],
        properties: {
          path: { ...text, description: 'A JSON pointer (RFC 6901).' },
          code: { ...text, description: 'A stable code.' },
          detail: { ...text, description: 'What is wrong, for people.' },
        },
      },
    },
  },
};

/** A reference to the message's schema, which is made when it is met first. */
function schemaOf(message: DescMessage, document: Document): Json {
  switch (message.typeName) {
    case 'google.protobuf.Timestamp':
      return { type: 'string', format: 'date-time' };
    case 'google.protobuf.Struct':
      return { type: 'object', additionalProperties: true };
    case 'google.protobuf.Value':
      return {};
  }
  if (document.schemas[message.name] === undefined) {
    document.schemas[message.name] = {}; // ends the walk where messages nest in themselves
    document.schemas[message.name] = objectSchema(message, message.fields, document);
  }
  return { $ref: `#/components/schemas/${message.name}` };
}

function objectSchema(message: DescMessage, fields: readonly DescField[], document: Document): Json {
  const properties = fields.map((field) => {
    const description = document.comments.of(nameOf(field));
    return [field.name, { ...fieldSchema(field, document), description }] as const;
  });
  const required = fields.filter(isRequired).map(({ name }) => name);
  return {
    type: 'object',
    description: document.comments.of(message.typeName),
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

function fieldSchema(field: DescField, document: Document): Json {
  const rules = fieldRulesSchema(field);
  switch (field.fieldKind) {
    case 'scalar':
      return { ...scalarSchema(field.scalar), ...rules };
    case 'message':
      return schemaOf(field.message, document);
    case 'list':
      return { type: 'array', items: itemSchema(field, document), ...rules };
    case 'map':
      return { type: 'object', additionalProperties: itemSchema(field, document), ...rules };
    case 'enum':
      throw new Error(`${nameOf(field)} is an enum; closed sets are strings in this contract`);
  }
}

function itemSchema(field: DescField & { fieldKind: 'list' | 'map' }, document: Document): Json {
  if (field.message !== undefined) return schemaOf(field.message, document);
  return field.scalar === undefined ? {} : scalarSchema(field.scalar);
}

function scalarSchema(type: ScalarType): Json {
  if (type === ScalarType.STRING) return { type: 'string' };
  if (type === ScalarType.BOOL) return { type: 'boolean' };
  return type === ScalarType.DOUBLE ? { type: 'number' } : { type: 'integer', format: 'int32' };
}

function nameOf(field: DescField): string {
  return `${field.parent.typeName}.${field.name}`;
}

function routeTagOf(service: DescService): string {
  return service.name.replace(/Service$/, '');
}

function routeTag(method: DescMethod): string {
  return routeTagOf(method.parent);
}

function hasRoute(method: DescMethod, paths: Record<string, Json>): boolean {
  return Object.values(paths).some((path) =>
    Object.values(path).some((operation) => (operation as Json)['operationId'] === method.localName),
  );
}

function firstSentence(text: string): string {
  return /^[^.]*\.?/.exec(text)?.[0].replace(/\.$/, '') ?? '';
}
