import {
  type DescField,
  type DescMethod,
  type DescService,
  getOption,
  hasOption,
  ScalarType,
} from '@bufbuild/protobuf';
import { http } from '@survey/proto/google/api/annotations_pb';
import {
  max_body_bytes as maxBodyBytesOption,
  raw as rawOption,
  success_code as successCodeOption,
} from '@survey/proto/survey/options/v1/options_pb';
import { type Access, accessOf } from '../rpc/access.ts';

/** Every route of the contract is served under this prefix. */
export const API_PREFIX = '/v1';

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
  /** The field of the response that is the body; the whole response when undefined. */
  readonly responseBody: DescField | undefined;
  /** Fields that query parameters are bound to, by name. */
  readonly query: ReadonlyMap<string, DescField>;
  readonly successCode: 200 | 201 | 202 | 204;
  readonly maxBodyBytes: number;
  readonly raw: boolean;
  readonly access: Access;
}

/**
 * Reads the routes of services. Throws when an operation uses more of `google.api.http` than we support (one
 * get, post, put, patch or delete; literal and `{field}` segments; `body` of `*` or a field; `response_body`), names a
 * field that is not there, or is ambiguous with another.
 */
export function routesOf(services: readonly DescService[]): readonly Route[] {
  const routes = services.flatMap(({ methods }) => methods.filter(isRouted).map(toRoute));
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

function toRoute(method: DescMethod): Route {
  const fail = (problem: string): never => {
    throw new Error(`${nameOf(method)}: ${problem}`);
  };
  const rule = getOption(method, http);
  const { case: verb, value: path } = rule.pattern;
  if (verb === undefined || verb === 'custom') return fail('only get, post, put, patch and delete are supported');
  if (rule.additionalBindings.length > 0) fail('additional_bindings are not supported');
  const field = (name: string): DescField =>
    method.input.fields.find((candidate) => candidate.name === name) ??
    fail(`${method.input.name} has no field ${name}`);

  const segments = parsePath(path, field, fail);
  const body = rule.body === '' ? undefined : rule.body === '*' ? '*' : field(rule.body);
  if (body !== undefined && (verb === 'get' || verb === 'delete')) fail(`a ${verb} has no body`);
  const bound = new Set(segments.flatMap((segment) => ('field' in segment ? [segment.field] : [])));
  if (bound.size !== segments.filter((segment) => 'field' in segment).length) fail('a field is bound twice');
  const free =
    body === '*' ? [] : method.input.fields.filter((candidate) => candidate !== body && !bound.has(candidate));
  for (const candidate of free) if (!isQueryField(candidate)) fail(`${candidate.name} cannot be a query parameter`);
  const responseBody =
    rule.responseBody === ''
      ? undefined
      : (method.output.fields.find(({ name }) => name === rule.responseBody) ??
        fail(`${method.output.name} has no field ${rule.responseBody}`));

  return {
    method,
    httpMethod: verb.toUpperCase() as HttpMethod, // the five verbs that are left
    template: API_PREFIX + path,
    segments,
    body,
    responseBody,
    query: new Map(free.map((candidate) => [candidate.name, candidate])),
    successCode: successCodeOf(method, fail),
    maxBodyBytes: hasOption(method, maxBodyBytesOption)
      ? getOption(method, maxBodyBytesOption)
      : DEFAULT_MAX_BODY_BYTES,
    raw: getOption(method, rawOption),
    access: accessOf(method),
  };
}

function parsePath(path: string, field: (name: string) => DescField, fail: (problem: string) => never): Segment[] {
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
  return field.fieldKind === 'scalar' || (field.fieldKind === 'list' && field.listKind === 'scalar');
}

function successCodeOf(method: DescMethod, fail: (problem: string) => never): 200 | 201 | 202 | 204 {
  const code = hasOption(method, successCodeOption) ? getOption(method, successCodeOption) : 200;
  return code === 200 || code === 201 || code === 202 || code === 204
    ? code
    : fail(`success_code ${code} is not supported`);
}

/** Two routes are ambiguous when a path fits both and neither is the more specific one at every segment. */
function checkAmbiguity(routes: readonly Route[]): void {
  for (const [index, a] of routes.entries()) {
    for (const b of routes.slice(index + 1)) {
      if (a.httpMethod !== b.httpMethod || a.segments.length !== b.segments.length) continue;
      const pairs = a.segments.map((segment, at) => compareSegments(segment, b.segments[at]));
      if (pairs.includes('apart')) continue;
      if (pairs.includes('first') === pairs.includes('second')) {
        throw new Error(`${a.httpMethod} ${a.template} and ${b.template} are ambiguous`);
      }
    }
  }
}

/** Which of two segments is the more specific one; `apart` when no word fits both. */
function compareSegments(a: Segment, b: Segment | undefined): 'same' | 'first' | 'second' | 'apart' {
  if (b === undefined) return 'apart';
  if ('literal' in a && 'literal' in b) return a.literal === b.literal ? 'same' : 'apart';
  if ('literal' in a) return 'first';
  return 'literal' in b ? 'second' : 'same';
}

function nameOf(method: DescMethod): string {
  return `${method.parent.typeName}.${method.name}`;
}
