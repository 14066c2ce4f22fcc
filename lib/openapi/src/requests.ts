import type { DescField } from '@bufbuild/protobuf';
import { isObjectField } from '@survey/runtime/rest/json-form';
import type { Route } from '@survey/runtime/rest/route';
import { type Examples, parameterExampleOf, requestExampleOf } from './examples.ts';
import type { HeaderRules } from './headers.ts';
import type { Comments } from './proto-comments.ts';
import { rulesOf } from './rules.ts';
import type { Schemas } from './schemas.ts';

type Json = Record<string, unknown>;

interface Dependencies {
  readonly comments: Comments;
  readonly schemas: Schemas;
  readonly headers: HeaderRules;
  readonly examples: Examples;
}

/** A body that is a file, of any type. */
const BYTES = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } as const;

/** Describes the parameters and bodies of operations. */
export function createRequests({ comments, schemas, headers, examples }: Dependencies) {
  function parametersOf(route: Route): readonly Json[] {
    const parameter = (field: DescField, location: 'path' | 'query') => {
      // A map in a query is JSON.
      const isJson = location === 'query' && field.fieldKind === 'map';
      const schema = isJson
        ? { type: 'string', contentMediaType: 'application/json' }
        : schemas.ofField(field, 'request');
      const example = parameterExampleOf(field.name, { ...schema, ...(isJson ? {} : rulesOf(field).own) }, examples);
      return {
        name: field.name,
        in: location,
        required: location === 'path' || schemas.isRequired(field, 'request'),
        description: comments.of(`${field.parent.typeName}.${field.name}`),
        ...(isObjectField(field)
          ? { content: { 'application/json': { schema, example } } }
          : { schema: { ...schema, examples: [example] } }),
      };
    };
    return [
      ...route.segments.flatMap((segment) => ('field' in segment ? [parameter(segment.field, 'path')] : [])),
      ...[...route.query.values()].map((field) => parameter(field, 'query')),
      ...[...(route.fileQuery?.fields.values() ?? [])].map((field) => ({
        ...parameter(field, 'query'),
        required: false,
        description: `If the body is a file: ${comments.of(`${field.parent.typeName}.${field.name}`)}`,
      })),
      ...headers.requestHeadersOf(route),
    ];
  }

  function bodyOf(route: Route): Json {
    const { body, members, httpMethod, method, fileQuery } = route;
    if (body === undefined) return { required: false, content: BYTES };
    const use = httpMethod === 'PATCH' ? 'patch' : 'request';
    const schema = body === '*' ? schemas.ofBody(method.input, members, use) : schemas.ofField(body, use);
    const required = (body === '*' ? members : [body]).some((field) => schemas.isRequired(field, use));
    const json = { 'application/json': { schema, example: requestExampleOf(route, examples) } };
    return { required, content: { ...json, ...(fileQuery === undefined ? {} : BYTES) } };
  }

  return {
    /** The parameters and the body of an operation, if any. Throws if an example is missing. */
    of(route: Route): Json {
      const parameters = parametersOf(route);
      return {
        ...(parameters.length > 0 ? { parameters } : {}),
        ...(describesBody(route) ? { requestBody: bodyOf(route) } : {}),
      };
    },
  };
}

/** Whether to describe a body. An operation without members accepts `{}`, but clients need not send it. */
export function describesBody({ takesBody, body, members }: Route): boolean {
  return takesBody && (body !== '*' || members.length > 0);
}
