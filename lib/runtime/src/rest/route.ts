import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
  hasOption,
  ScalarType,
} from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { http } from '@survey/proto/google/api/annotations_pb';
import type { HttpRule } from '@survey/proto/google/api/http_pb';
import {
  file_body as fileBodyOption,
  heavy as heavyOption,
  max_body_bytes as maxBodyBytesOption,
  raw as rawOption,
  success_code as successCodeOption,
  waits as waitsOption,
} from '@survey/proto/survey/options/v1/options_pb';
import { type Access, accessOf } from '../rpc/access.ts';
import { operationNameOf } from '../rpc/headers.ts';
import { updateMaskOf } from '../rpc/message-fields.ts';
import { findUnsupportedField, isMessageWithMembers, isObjectField, isTimestamp, nestedFields } from './json-form.ts';

export const API_PREFIX = '/v1';

/** Default limit of bodies. Operations with larger bodies accept files. */
const DEFAULT_MAX_BODY_BYTES = 2 * 1024 * 1024;

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type Segment = { readonly literal: string } | { readonly field: DescField };

/**
 * An operation's route, read from its `google.api.http` option. A read has a second route if its parameters can be too
 * long for a URL: the query form, a POST whose JSON body has them.
 */
export interface Route {
  readonly method: DescMethod;
  /** Name in the OpenAPI document: `listResponses`, or `listResponsesByQuery` for the query form. */
  readonly operationId: string;
  /** Whether the operation has no side effects, so that a request can be repeated. True for all GETs and query forms. */
  readonly isRead: boolean;
  /** Template of the query form of this route, if it has one. */
  readonly queryForm: string | undefined;
  readonly httpMethod: HttpMethod;
  /** With the prefix and names of fields: `/v1/surveys/{survey_id}`. */
  readonly template: string;
  readonly segments: readonly Segment[];
  /** Whether the body is the whole request (`*`) or one field. Undefined if no field is read from the body. */
  readonly body: '*' | DescField | undefined;
  /** Whether a request may have a body: a JSON body, or a raw body, which is bound to no field. */
  readonly takesBody: boolean;
  /** Fields of the body's members, if `body` is `*`. */
  readonly members: readonly DescField[];
  /** The field of the response that is the body; undefined for the whole response. */
  readonly responseBody: DescField | undefined;
  readonly query: ReadonlyMap<string, DescField>;
  readonly successCode: 200 | 201 | 202 | 204;
  /** Whether the success reply is JSON: neither bytes nor empty. */
  readonly repliesInJson: boolean;
  readonly maxBodyBytes: number;
  /** The update mask of a PATCH. `readMessage` fills it from the members of the body. */
  readonly updateMask: DescField | undefined;
  readonly hasRawHandler: boolean;
  /** Whether a raw handler reads the body itself: bytes or a file. */
  readonly handlerReadsBody: boolean;
  /** Whether the limit of heavy requests applies: for expensive operations, and for streams. */
  readonly heavy: boolean;
  /** Whether a request waits until there is something to return, like a long poll. */
  readonly waits: boolean;
  /** Query parameters for a body that is a file instead of JSON; undefined if files are not accepted. */
  readonly fileQuery: FileQuery | undefined;
  readonly access: Access;
}

/** Throws an error with the problem and the name of the operation that is being read. */
export type Fail = (problem: string) => never;

/**
 * Reads the routes of services. An operation can have one get, post, put, patch or delete, literal and `{field}`
 * segments, `body` (`*` or a field) and `response_body`. A get can have a query form in `additional_bindings`. Throws if
 * an operation uses other features of `google.api.http`, names unknown fields, has fields that our JSON does not
 * support, or is ambiguous with another operation.
 */
export function routesOf(services: readonly DescService[]): readonly Route[] {
  const routes = services.flatMap(({ methods }) => methods.filter(isRouted).flatMap(readRoutes));
  checkAmbiguity(routes);
  return routes;
}

function isRouted(method: DescMethod): boolean {
  const routed = hasOption(method, http);
  const internal = accessOf(method).kind === 'internal';
  if (routed && internal) throw new Error(`${operationNameOf(method)} is internal and has a route`);
  if (!routed && !internal) throw new Error(`${operationNameOf(method)} has no route and is not internal`);
  return routed;
}

/** Names of the fields in the path of an operation's first route, in their order. */
export function pathFieldNamesOf(method: DescMethod): readonly string[] {
  const { value: path } = getOption(method, http).pattern;
  return [...(typeof path === 'string' ? path : '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** Reads the route of an operation, and its query form. */
function readRoutes(method: DescMethod): readonly Route[] {
  const fail: Fail = (problem) => {
    throw new Error(`${operationNameOf(method)}: ${problem}`);
  };
  const rule = getOption(method, http);
  const route = readRoute(method, rule, fail);
  const [form, ...more] = rule.additionalBindings;
  if (form === undefined) return [route];
  if (route.httpMethod !== 'GET' || more.length > 0) fail('only a get can have additional_bindings, and only one');
  checkQueryForm(form, fail);
  if (method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS)
    fail('additional_bindings need the idempotency_level NO_SIDE_EFFECTS');
  const queryForm = readRoute(method, form, fail, true);
  return [{ ...route, queryForm: queryForm.template }, queryForm];
}

function checkQueryForm({ pattern, body, additionalBindings }: HttpRule, fail: Fail): void {
  if (pattern.case !== 'post' || body !== '*' || !pattern.value.endsWith('/query'))
    fail('additional_bindings must be a post with the body * and a path that ends in /query');
  if (additionalBindings.length > 0) fail('additional_bindings cannot be nested');
}

function readRoute(method: DescMethod, rule: HttpRule, fail: Fail, isQueryForm = false): Route {
  const { case: verb, value: path } = rule.pattern;
  if (verb === undefined || verb === 'custom') return fail('only get, post, put, patch and delete are supported');
  const updateMask = updateMaskOf(method.input);
  const fields = method.input.fields.filter((field) => field !== updateMask);
  const requestField = (name: string) => findField(method.input, fields, name, fail);

  const segments = parsePath(path, requestField, fail);
  const pathFields = segments.flatMap((segment) => ('field' in segment ? [segment.field] : []));
  if (new Set(pathFields).size !== pathFields.length) fail('a field is bound twice');
  const body = rule.body === '' ? undefined : rule.body === '*' ? '*' : requestField(rule.body);
  if (body !== undefined && body !== '*' && pathFields.includes(body)) fail('a field is bound twice');
  if (body !== undefined && (verb === 'get' || verb === 'delete')) fail(`a ${verb} cannot have a body`);
  const unbound = fields.filter((field) => field !== body && !pathFields.includes(field));
  const query = body === '*' ? [] : unbound;
  for (const field of query)
    if (!isQueryField(field) && !isObjectField(field)) fail(`${field.name} cannot be a query parameter`);
  const { output } = method;
  const successCode = successCodeOf(method, fail);
  const isRaw = getOption(method, rawOption);
  const takesFile = getOption(method, fileBodyOption);
  const takesBody = body !== undefined || (isRaw && verb !== 'get' && verb !== 'delete');
  const hasRawHandler = isRaw || takesFile;

  const route: Route = {
    method,
    operationId: method.localName + (isQueryForm ? 'ByQuery' : ''),
    isRead: verb === 'get' || method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS,
    queryForm: undefined,
    httpMethod: verb.toUpperCase() as HttpMethod, // the five verbs that are left
    template: API_PREFIX + path,
    segments,
    body,
    takesBody,
    members: body === '*' ? unbound : [],
    responseBody: rule.responseBody === '' ? undefined : findField(output, output.fields, rule.responseBody, fail),
    query: new Map(query.map((field) => [field.name, field])),
    successCode,
    repliesInJson: (!isRaw || takesFile) && successCode !== 204,
    maxBodyBytes: hasOption(method, maxBodyBytesOption)
      ? getOption(method, maxBodyBytesOption)
      : DEFAULT_MAX_BODY_BYTES,
    updateMask,
    hasRawHandler,
    handlerReadsBody: hasRawHandler && takesBody && !isQueryForm,
    heavy: getOption(method, heavyOption) || isRaw,
    waits: getOption(method, waitsOption),
    fileQuery: takesFile ? fileQueryOf(unbound, (field) => isQueryField(field) || isTextMap(field)) : undefined,
    access: accessOf(method),
  };
  if (isRaw && body !== undefined && !isQueryForm) fail('a raw body is bound to no field');
  if (route.fileQuery !== undefined && (verb !== 'post' || body !== '*'))
    fail('only a post with the body * can have a file');
  if (route.successCode === 204 && route.responseBody !== undefined) fail('a 204 cannot have a response_body');
  checkPatch(route, fail);
  const unsupported = findUnsupportedField([...fields, ...output.fields]);
  if (unsupported !== undefined) fail(unsupported);
  return route;
}

function findField(message: DescMessage, fields: readonly DescField[], name: string, fail: Fail): DescField {
  return fields.find((field) => field.name === name) ?? fail(`${message.name} has no field ${name}`);
}

function parsePath(path: string, requestField: (name: string) => DescField, fail: Fail): Segment[] {
  if (!path.startsWith('/')) fail(`the path ${path} does not begin with a slash`);
  const segments = path
    .slice(1)
    .split('/')
    .map((part): Segment => {
      const name = /^\{([a-z][a-z0-9_]*)\}$/.exec(part)?.[1];
      if (name === undefined)
        return /^[a-z0-9][a-z0-9-]*$/.test(part)
          ? { literal: part }
          : fail(`the path segment '${part}' is not supported`);
      const pathField = requestField(name);
      if (pathField.fieldKind !== 'scalar' || pathField.scalar !== ScalarType.STRING)
        fail(`${name} is in the path, but not a string`);
      return { field: pathField };
    });
  return [{ literal: API_PREFIX.slice(1) }, ...segments];
}

function isQueryField(field: DescField): boolean {
  if (field.fieldKind === 'message') return isTimestamp(field.message);
  return field.fieldKind === 'scalar' || (field.fieldKind === 'list' && field.listKind === 'scalar');
}

/** Whether a field is a map of texts. If the body is a file, the map is a query parameter, written in JSON. */
function isTextMap(field: DescField): boolean {
  return field.fieldKind === 'map' && field.mapKey === ScalarType.STRING && field.scalar === ScalarType.STRING;
}

function successCodeOf(method: DescMethod, fail: Fail): 200 | 201 | 202 | 204 {
  const code = hasOption(method, successCodeOption) ? getOption(method, successCodeOption) : 200;
  return code === 200 || code === 201 || code === 202 || code === 204
    ? code
    : fail(`success_code ${code} is not supported`);
}

/** Throws if two routes are ambiguous: a path matches both, and neither is more specific in all segments. */
function checkAmbiguity(routes: readonly Route[]): void {
  for (const [index, a] of routes.entries()) {
    for (const b of routes.slice(index + 1)) {
      if (a.httpMethod !== b.httpMethod || a.segments.length !== b.segments.length) continue;
      const pairs = a.segments.map((segment, index) => compareSegments(segment, b.segments[index]));
      if (pairs.includes('apart')) continue;
      if (pairs.includes('first') === pairs.includes('second')) {
        throw new Error(`${a.httpMethod} ${a.template} and ${b.template} are ambiguous`);
      }
    }
  }
}

/** Compares two segments: returns which one is more specific, or `apart` if no text matches both. */
function compareSegments(a: Segment, b: Segment | undefined): 'same' | 'first' | 'second' | 'apart' {
  if (b === undefined) return 'apart';
  if ('literal' in a && 'literal' in b) return a.literal === b.literal ? 'same' : 'apart';
  if ('literal' in a) return 'first';
  return 'literal' in b ? 'second' : 'same';
}

/** Checks that a merge patch (RFC 7396) has an update mask, and no map, because a mask cannot name entries of a map. */
function checkPatch({ httpMethod, body, members, updateMask }: Route, fail: Fail): void {
  if (httpMethod !== 'PATCH') {
    if (updateMask !== undefined) fail(`only PATCH can have an ${updateMask.name}`);
    return;
  }
  if (updateMask?.fieldKind !== 'message' || updateMask.message.typeName !== 'google.protobuf.FieldMask')
    fail('PATCH needs an update_mask of the type google.protobuf.FieldMask');
  if (body !== '*') fail('PATCH needs the body *');
  const map = nestedFields(members, ({ fieldKind }) => fieldKind === 'message').find(
    ({ fieldKind }) => fieldKind === 'map',
  );
  if (map !== undefined)
    fail(
      `${map.parent.typeName}.${map.name} is a map: an update mask cannot name its entries; use a google.protobuf.Struct`,
    );
}

/** Query parameters of a request whose body is a file: the fields of the message, and those of nested messages. */
export interface FileQuery {
  readonly fields: ReadonlyMap<string, DescField>;
  /** Converts query parameters to members of the message, and of its nested messages. */
  toMembers(values: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/** Collects the query fields, without free-form JSON, which the file replaces. Throws if two have the same name. */
function fileQueryOf(fields: readonly DescField[], isQueryField: (field: DescField) => boolean): FileQuery {
  const owners = new Map<string, DescField | undefined>();
  const found = new Map<string, DescField>();
  const add = (field: DescField, owner: DescField | undefined) => {
    if (found.has(field.name)) throw new Error(`the query of a file has two fields named ${field.name}`);
    found.set(field.name, field);
    owners.set(field.name, owner);
  };
  for (const field of fields) {
    if (isQueryField(field)) add(field, undefined);
    else if (isMessageWithMembers(field.message)) for (const inner of membersOf(field.message)) add(inner, field);
  }
  return {
    fields: found,
    toMembers(values) {
      const members: Record<string, unknown> = {};
      const nested = new Map<string, Record<string, unknown>>();
      for (const [name, value] of Object.entries(values)) {
        const owner = owners.get(name);
        if (owner === undefined) members[name] = value;
        else nested.set(owner.name, { ...nested.get(owner.name), [name]: value });
      }
      return { ...members, ...Object.fromEntries(nested) };
    },
  };

  function membersOf(message: DescMessage): readonly DescField[] {
    return message.fields.filter(isQueryField);
  }
}
