import type { DescField } from '@bufbuild/protobuf';
import type { Route } from '@survey/runtime/rest/route';
import { type Examples, parameterExampleOf, requestExampleOf } from './examples.ts';
import type { HeaderRules } from './headers.ts';
import type { Comments } from './proto-comments.ts';
import { requiredFields } from './rules.ts';
import type { Schemas } from './schemas.ts';

type Json = Record<string, unknown>;

interface Dependencies {
  readonly comments: Comments;
  readonly schemas: Schemas;
  readonly headers: HeaderRules;
  readonly examples: Examples;
}

/** Describes the parameters and bodies of operations. */
export function createRequests({ comments, schemas, headers, examples }: Dependencies) {
  function parametersOf(route: Route): readonly Json[] {
    const needed = requiredFields(route.method.input);
    const parameter = (field: DescField, location: 'path' | 'query') => {
      const schema = schemas.ofField(field, 'request');
      return {
        name: field.name,
        in: location,
        required: location === 'path' || needed.has(field.name),
        description: comments.of(`${field.parent.typeName}.${field.name}`),
        schema: { ...schema, examples: [parameterExampleOf(field.name, schema, examples)] },
      };
    };
    return [
      ...route.segments.flatMap((segment) => ('field' in segment ? [parameter(segment.field, 'path')] : [])),
      ...[...route.query.values()].map((field) => parameter(field, 'query')),
      ...[...(route.file?.fields.values() ?? [])].map((field) => ({
        ...parameter(field, 'query'),
        required: false,
        description: `If the body is a file: ${comments.of(`${field.parent.typeName}.${field.name}`)}`,
      })),
      ...headers.requestHeadersOf(route),
    ];
  }

  function bodyOf(route: Route): Json {
    const { body, members, httpMethod, method, file } = route;
    if (body === undefined) return { required: false, content: { '*/*': {} } };
    const isPatch = httpMethod === 'PATCH';
    const schema =
      body === '*'
        ? schemas.ofMembers(method.input, members, isPatch ? 'patch' : 'request')
        : schemas.ofField(body, 'request');
    const required = body === '*' ? 'required' in schema : requiredFields(method.input).has(body.name);
    const types = isPatch ? ['application/merge-patch+json', 'application/json'] : ['application/json'];
    const json = { schema, example: requestExampleOf(route, examples) };
    const asItIs = file === undefined ? {} : { '*/*': {} };
    return { required, content: { ...Object.fromEntries(types.map((type) => [type, json])), ...asItIs } };
  }

  return {
    /** The parameters and the body of an operation, if any. Throws if an example is missing. */
    of(route: Route): Json {
      const parameters = parametersOf(route);
      return {
        ...(parameters.length > 0 ? { parameters } : {}),
        ...(route.takesBody ? { requestBody: bodyOf(route) } : {}),
      };
    },
  };
}
