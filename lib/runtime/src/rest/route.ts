import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
  hasOption,
  ScalarType,
} from '@bufbuild/protobuf';
import { http } from '@survey/proto/google/api/annotations_pb';
import {
  file_body as fileBodyOption,
  heavy as heavyOption,
  max_body_bytes as maxBodyBytesOption,
  raw as rawOption,
  success_code as successCodeOption,
} from '@survey/proto/survey/options/v1/options_pb';
import { type Access, accessOf } from '../rpc/access.ts';
import { updateMaskOf } from '../rpc/update-mask.ts';
import { checkAmbiguity } from './check-ambiguity.ts';
import { checkPatch } from './check-patch.ts';
import { type FileQuery, fileQueryOf } from './file-query.ts';
import { findFormless, isTimestamp } from './json-form.ts';

/** Every route of the contract is served under this prefix. */
export const API_PREFIX = '/v1';

/** Of a body whose operation says nothing else; one that takes more takes files. */
const DEFAULT_MAX_BODY_BYTES = 2 * 1024 * 1024;

/** HTTP methods that an operation can have. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One part of a path: a word, or the field that a word is bound to. */
export type Segment = { readonly literal: string } | { readonly field: DescField };

/** An operation's route, read from its `google.api.http` option. */
export interface Route {
  readonly method: DescMethod;
  readonly httpMethod: HttpMethod;
  /** With the prefix and the fields' names: `/v1/surveys/{survey_id}`. */
  readonly template: string;
  readonly segments: readonly Segment[];
  /** The whole request, one field of it, or nothing is read from the body. */
  readonly body: '*' | DescField | undefined;
  /** Whether a request may have a body: a raw one is bound to no field. */
  readonly takesBody: boolean;
  /** Fields that the members of the body are bound to, when `body` is `*`. */
  readonly members: readonly DescField[];
  /** The field of the response that is the body; the whole response when undefined. */
  readonly responseBody: DescField | undefined;
  /** Fields that query parameters are bound to, by name. */
  readonly query: ReadonlyMap<string, DescField>;
  readonly successCode: 200 | 201 | 202 | 204;
  readonly maxBodyBytes: number;
  /** The field of a PATCH that says which members its body has: the transcoder fills it. */
  readonly updateMask: DescField | undefined;
  /** Whether a handler of bytes answers it. */
  readonly raw: boolean;
  /** Whether it counts against the limit of what takes much at once. */
  readonly heavy: boolean;
  /** What the query says when the body is a file in place of the JSON; undefined when it never is. */
  readonly file: FileQuery | undefined;
  readonly access: Access;
}

/** Refuses the operation that is being read. */
export type Fail = (problem: string) => never;

/**
 * Reads the routes of services. Throws when an operation uses more of `google.api.http` than we support (one
 * get, post, put, patch or delete; literal and `{field}` segments; `body` of `*` or a field; `response_body`), names a
 * field that is not there, has fields that JSON has no form for, or is ambiguous with another.
 */
export function routesOf(services: readonly DescService[]): readonly Route[] {
  const routes = services.flatMap(({ methods }) => methods.filter(isRouted).map(routeOf));
  checkAmbiguity(routes);
  return routes;
}

function isRouted(method: DescMethod): boolean {
  const routed = hasOption(method, http);
  const internal = accessOf(method).kind === 'internal';
  if (routed && internal) throw new Error(`${nameOf(method)} is internal and has a route`);
  if (!routed && !internal) throw new Error(`${nameOf(method)} has no route and is not internal`);
  return routed;
}

/** The route of an operation. Throws as `routesOf`. */
export function routeOf(method: DescMethod): Route {
  const fail: Fail = (problem) => {
    throw new Error(`${nameOf(method)}: ${problem}`);
  };
  const rule = getOption(method, http);
  const { case: verb, value: path } = rule.pattern;
  if (verb === undefined || verb === 'custom') return fail('only get, post, put, patch and delete are supported');
  if (rule.additionalBindings.length > 0) fail('additional_bindings are not supported');
  const updateMask = updateMaskOf(method.input);
  const fields = method.input.fields.filter((field) => field !== updateMask);
  const inRequest = (name: string) => findField(method.input, fields, name, fail);

  const segments = parsePath(path, inRequest, fail);
  const named = segments.flatMap((segment) => ('field' in segment ? [segment.field] : []));
  if (new Set(named).size !== named.length) fail('a field is bound twice');
  const body = rule.body === '' ? undefined : rule.body === '*' ? '*' : inRequest(rule.body);
  if (body !== undefined && body !== '*' && named.includes(body)) fail('a field is bound twice');
  if (body !== undefined && (verb === 'get' || verb === 'delete')) fail(`a ${verb} has no body`);
  const free = fields.filter((field) => field !== body && !named.includes(field));
  const query = body === '*' ? [] : free;
  for (const field of query) if (!isQueryField(field)) fail(`${field.name} cannot be a query parameter`);
  const { output } = method;

  const route: Route = {
    method,
    httpMethod: verb.toUpperCase() as HttpMethod, // the five verbs that are left
    template: API_PREFIX + path,
    segments,
    body,
    takesBody: body !== undefined || (getOption(method, rawOption) && verb !== 'get' && verb !== 'delete'),
    members: body === '*' ? free : [],
    responseBody: rule.responseBody === '' ? undefined : findField(output, output.fields, rule.responseBody, fail),
    query: new Map(query.map((field) => [field.name, field])),
    successCode: successCodeOf(method, fail),
    maxBodyBytes: hasOption(method, maxBodyBytesOption)
      ? getOption(method, maxBodyBytesOption)
      : DEFAULT_MAX_BODY_BYTES,
    updateMask,
    raw: getOption(method, rawOption) || getOption(method, fileBodyOption),
    heavy: getOption(method, heavyOption),
    file: getOption(method, fileBodyOption) ? fileQueryOf(free, isQueryField) : undefined,
    access: accessOf(method),
  };
  if (getOption(method, rawOption) && body !== undefined) fail('a raw body is bound to no field');
  if (route.file !== undefined && (verb !== 'post' || body !== '*')) fail('a file stands for the body of a post');
  if (route.successCode === 204 && route.responseBody !== undefined) fail('a 204 has no response_body');
  checkPatch(route, fail);
  const formless = findFormless([...fields, ...output.fields]);
  if (formless !== undefined) fail(formless);
  return route;
}

function findField(message: DescMessage, fields: readonly DescField[], name: string, fail: Fail): DescField {
  return fields.find((field) => field.name === name) ?? fail(`${message.name} has no field ${name}`);
}

function parsePath(path: string, field: (name: string) => DescField, fail: Fail): Segment[] {
  if (!path.startsWith('/')) fail(`the path ${path} does not begin with a slash`);
  const own = path
    .slice(1)
    .split('/')
    .map((part): Segment => {
      const name = /^\{([a-z][a-z0-9_]*)\}$/.exec(part)?.[1];
      if (name === undefined)
        return /^[a-z0-9][a-z0-9-]*$/.test(part)
          ? { literal: part }
          : fail(`the path segment '${part}' is not supported`);
      const bound = field(name);
      if (bound.fieldKind !== 'scalar' || bound.scalar !== ScalarType.STRING)
        fail(`${name} is in the path and no string`);
      return { field: bound };
    });
  return [{ literal: API_PREFIX.slice(1) }, ...own];
}

function isQueryField(field: DescField): boolean {
  if (field.fieldKind === 'message') return isTimestamp(field.message);
  return field.fieldKind === 'scalar' || (field.fieldKind === 'list' && field.listKind === 'scalar');
}

function successCodeOf(method: DescMethod, fail: Fail): 200 | 201 | 202 | 204 {
  const code = hasOption(method, successCodeOption) ? getOption(method, successCodeOption) : 200;
  return code === 200 || code === 201 || code === 202 || code === 204
    ? code
    : fail(`success_code ${code} is not supported`);
}

function nameOf(method: DescMethod): string {
  return `${method.parent.typeName}.${method.name}`;
}
