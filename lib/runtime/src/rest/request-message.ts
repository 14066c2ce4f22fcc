import type { IncomingMessage } from 'node:http';
import { create, type DescField, type DescMessage, type MessageShape, ScalarType } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { FieldMaskSchema } from '@bufbuild/protobuf/wkt';
import { AppError, type FieldProblem, MAX_FIELD_PROBLEMS } from '../errors/app-error.ts';
import { isObject } from '../json/is-object.ts';
import { JsonError, parseJson } from '../json/parse-json.ts';
import type { MessageCheck } from '../rpc/message-check.ts';
import { updateMaskOf } from '../rpc/message-fields.ts';
import { isMessageWithMembers, isObjectField, isTimestamp } from './json-form.ts';
import { messageFromJson, suggestName } from './json-input.ts';
import { hasBody, jsonDetails, readJsonBody, toMembers } from './request-body.ts';
import type { FileQuery, Route } from './route.ts';

/** The URL of a request: decoded path parameters, and the raw query. */
export interface UrlValues {
  readonly params: Readonly<Record<string, string>>;
  readonly query: string;
}

/**
 * Reads the message of a REST request from its path, query and JSON body, and validates it. If the body is a file,
 * reads only path and query. Throws `INVALID_REQUEST`, `VALIDATION_FAILED`, and the errors of `readJsonBody`.
 */
export async function readMessage(
  route: Route,
  { params, query }: UrlValues,
  request: IncomingMessage,
  checkMessage: MessageCheck,
): Promise<MessageShape<DescMessage>> {
  const { method, body, takesBody, maxBodyBytes, updateMask } = route;
  if (route.fileQuery !== undefined) return readFileMessage(route, route.fileQuery, { params, query });
  const fromUrl = { ...readQuery(query, route.query, route.queryForm), ...params };
  if (!takesBody && hasBody(request)) throw new AppError('INVALID_REQUEST', { detail: 'This operation takes no body' });
  // The body of a route is `*` (all members of the message), one field (its value), or undefined (no body).
  const json = body === undefined ? undefined : await readJsonBody(request, maxBodyBytes);
  const bodyMembers = body === '*' ? toMembers(json, params) : {};
  try {
    const fromBody = body === undefined || body === '*' ? bodyMembers : { [body.name]: json };
    const given = { ...fromBody, ...fromUrl };
    // Throws if a member cannot be converted. The error also reports the missing members (`findMissing`).
    const message = messageFromJson(method.input, given, (schema) => findMissing(schema, given, checkMessage));
    // A patch always has the body `*`: see `checkPatch`.
    if (updateMask !== undefined) {
      const mask = create(FieldMaskSchema, { paths: patchPaths(route.members, bodyMembers) });
      reflect(method.input, message).set(updateMask, reflect(FieldMaskSchema, mask));
    }
    // All members are converted: check the rules of the contract, which also report missing members.
    reportingMissing(given, () => checkMessage(method.input, message));
    return message;
  } catch (error) {
    throw error instanceof AppError ? toRequestError(error, route) : error;
  }
}

/**
 * Runs a check of a message. A broken rule of a member that the request lacks is reported as `REQUIRED`.
 *
 * @param given the members of the request, by their names in JSON
 */
export function reportingMissing(given: object, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof AppError) || error.errors.length === 0) throw error;
    const errors = error.errors.map((problem) => (isMissing(given, problem.path) ? toRequired(problem) : problem));
    throw new AppError(error.code, { errors, cause: error });
  }
}

/**
 * The required members that a request lacks, also in nested objects. The rules can only check a converted message. If a
 * member cannot be converted, this checks an empty message instead, which breaks the rules of all required members.
 */
function findMissing(schema: DescMessage, given: unknown, check: MessageCheck): readonly FieldProblem[] {
  // In a patch, nothing is required.
  if (!isObject(given) || updateMaskOf(schema) !== undefined) return [];
  const nested = schema.fields.flatMap(({ name, fieldKind, message }) =>
    fieldKind === 'message' && isMessageWithMembers(message)
      ? findMissing(message, given[name], check).map((problem) => ({ ...problem, path: `/${name}${problem.path}` }))
      : [],
  );
  try {
    check(schema, create(schema));
    return nested;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [...error.errors.filter(({ path }) => isMissing(given, path)).map(toRequired), ...nested];
  }
}

function isMissing(given: object, path: string): boolean {
  let value: unknown = given;
  for (const name of path.split('/').slice(1)) {
    if (!isObject(value)) return false;
    value = value[name];
  }
  return value === undefined || value === null;
}

function toRequired({ path }: FieldProblem): FieldProblem {
  return { path, code: 'REQUIRED', detail: 'value is required' };
}

/** Reads only the URL. The handler reads the file, and validates the whole message. */
function readFileMessage(route: Route, fileQuery: FileQuery, { params, query }: UrlValues): MessageShape<DescMessage> {
  const members = fileQuery.toMembers(readQuery(query, fileQuery.fields));
  return messageFromJson(route.method.input, { ...members, ...params });
}

/**
 * Makes the paths of problems relative to the body. If a query parameter has a problem, the code is `INVALID_REQUEST`.
 * The given error may be logged as the cause, because its text is the standard text of its code.
 */
function toRequestError(error: AppError, route: Route): AppError {
  const { body, query } = route;
  const inQuery = error.errors.some(({ path }) => query.has(path.split('/')[1] ?? ''));
  const prefix = body === undefined || body === '*' ? undefined : `/${body.name}`;
  const errors = error.errors.map((problem) =>
    prefix !== undefined && `${problem.path}/`.startsWith(`${prefix}/`)
      ? { ...problem, path: problem.path.slice(prefix.length) }
      : withParameterPath(problem, query, route),
  );
  return new AppError(inQuery ? 'INVALID_REQUEST' : error.code, { errors, cause: error });
}

/**
 * Whether the body of a request is a file. Operations that take files accept two forms: the file as the body with the
 * parameters in the query, or a JSON body without a query. So the query decides. The type of the body cannot decide,
 * because a file can be JSON, too.
 */
export function isFileBody({ url }: Pick<IncomingMessage, 'url'>): boolean {
  return url?.includes('?') ?? false;
}

/**
 * Rewrites the paths of problems of a request without a JSON body, so that they do not look like pointers into a body:
 * `?limit` is a parameter of the query, `?where/match` a member of a parameter in JSON, `{survey_id}` of the path.
 */
export function withParameterPaths(error: AppError, route: Route, request: Pick<IncomingMessage, 'url'>): AppError {
  const { body, fileQuery } = route;
  const isFile = fileQuery !== undefined && isFileBody(request);
  if (error.errors.length === 0 || (body !== undefined && !isFile)) return error;
  const query = isFile ? fileQuery.fields : route.query;
  return new AppError(error.code, {
    detail: error.message,
    errors: error.errors.map((problem) => withParameterPath(problem, query, route)),
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    // Omit the error itself: causes are logged, and its text can contain the name of a parameter from the client.
    cause: error.cause,
  });
}

function withParameterPath(problem: FieldProblem, query: Route['query'], { segments, members }: Route): FieldProblem {
  const [start, first = '', ...rest] = problem.path.split('/');
  if (start !== '') return problem;
  // Parameters of a file can be fields of a nested message, such as `options`.
  const isNested = members.some(({ name, message }) => name === first && isMessageWithMembers(message));
  const name = (isNested ? rest.shift() : first) ?? '';
  const field = query.get(name);
  if (field !== undefined)
    return { ...problem, path: [parameterPath(name), ...(isJsonParameter(field) ? rest : [])].join('/') };
  const isInPath = segments.some((segment) => 'field' in segment && segment.field.name === name);
  return isInPath ? { ...problem, path: `{${name}}` } : problem;
}

/**
 * Paths of a merge patch (RFC 7396) for the request's `google.protobuf.FieldMask`: `options.title` for
 * `{"options":{"title":null}}`. A member that is null, a list or free-form has a single path. Handlers merge free-form
 * members with `mergePatch`.
 */
function patchPaths(members: readonly DescField[], patch: Readonly<Record<string, unknown>>): string[] {
  return members
    .filter(({ name }) => Object.hasOwn(patch, name))
    .flatMap(({ name, fieldKind, message }) => {
      const value = patch[name];
      if (fieldKind !== 'message' || !isMessageWithMembers(message) || value === null) return [name];
      // `messageFromJson` has checked that the value is an object.
      return patchPaths(message.fields, value as Record<string, unknown>).map((path) => `${name}.${path}`);
    });
}

/** Plain decimal: no exponent, hexadecimal, leading zeros or plus. */
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** The end of a timestamp with a space instead of `+`: the client did not encode the `+`, which decodes to a space. */
const PLUS_AS_SPACE = /\d \d\d:\d\d$/;

/** Maximum length of a free-form object in a query, in characters. */
const MAX_OBJECT_LENGTH = 4_096;

/** Whether a query parameter is a text in JSON. */
function isJsonParameter(field: DescField): boolean {
  return field.fieldKind === 'map' || isObjectField(field);
}

/** The `path` of a problem with a query parameter. It is no JSON pointer, because the parameter is not in the body. */
function parameterPath(name: string): string {
  return `?${name}`;
}

/**
 * Parses a query string (`application/x-www-form-urlencoded`) into JSON values for `messageFromJson`. Throws
 * `INVALID_REQUEST` for parameters that are unknown, wrongly encoded, of the wrong type, too long, or repeated without
 * being a list.
 *
 * @param queryForm the route for longer parameters, if there is one
 */
export function readQuery(
  query: string,
  fields: ReadonlyMap<string, DescField>,
  queryForm?: string,
): Record<string, unknown> {
  const problems: FieldProblem[] = [];
  const values = new Map<DescField, unknown[]>();
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const separator = pair.indexOf('=');
    const [rawName, rawValue] = separator < 0 ? [pair, ''] : [pair.slice(0, separator), pair.slice(separator + 1)];
    const name = decode(rawName) ?? rawName;
    const field = fields.get(name);
    const path = parameterPath(name);
    if (field === undefined) {
      problems.push({
        path,
        code: 'UNKNOWN_PARAMETER',
        detail: `There is no such query parameter${suggestName(name, fields.values())}`,
      });
      continue;
    }
    const text = decode(rawValue);
    const value =
      text !== undefined && isJsonParameter(field)
        ? readObject(field, text, queryForm, problems)
        : readValue(field, text);
    if (value === undefined) problems.push({ path, code: 'WRONG_TYPE', detail: `must be ${describe(field)}` });
    else if (isTimestamp(field.message) && PLUS_AS_SPACE.test(String(value)))
      problems.push({ path, code: 'WRONG_TYPE', detail: 'must be an RFC 3339 timestamp; encode its + as %2B' });
    const all = values.get(field);
    if (all === undefined) values.set(field, [value]);
    else if (field.fieldKind === 'list') all.push(value);
    else problems.push({ path, code: 'REPEATED', detail: 'may be given only once' });
  }
  const [first] = problems;
  if (first !== undefined) {
    const detail = `The query parameter ${first.path.slice(1)} is not valid`;
    throw new AppError('INVALID_REQUEST', { detail, errors: problems.slice(0, MAX_FIELD_PROBLEMS) });
  }
  return Object.fromEntries([...values].map(([field, all]) => [field.name, field.fieldKind === 'list' ? all : all[0]]));
}

/** Returns undefined for bytes that must be escaped, and escapes that are not UTF-8. */
function decode(part: string): string | undefined {
  if (/[^!-~]|#/.test(part)) return undefined;
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function readValue(field: DescField, text: string | undefined): unknown {
  if (text === undefined || isTimestamp(field.message)) return text;
  switch (field.scalar) {
    case ScalarType.STRING:
      return text;
    case ScalarType.BOOL:
      return text === 'true' ? true : text === 'false' ? false : undefined;
    default:
      return DECIMAL.test(text) && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER ? Number(text) : undefined;
  }
}

/**
 * Reads an object from JSON, as strictly as from a body. Returns undefined for other texts. If the object is not valid,
 * adds a problem, and returns null.
 */
function readObject(field: DescField, text: string, queryForm: string | undefined, problems: FieldProblem[]): unknown {
  const path = parameterPath(field.name);
  if (isObjectField(field) && [...text].length > MAX_OBJECT_LENGTH) {
    const advice = queryForm === undefined ? '' : `; send longer ones in the body of POST ${queryForm}`;
    problems.push({ path, code: 'TOO_LONG', detail: `must have at most ${MAX_OBJECT_LENGTH} characters${advice}` });
    return null;
  }
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (!(error instanceof JsonError) || error.problem === 'MALFORMED') return undefined;
    problems.push({ path: path + error.path, code: error.problem, detail: jsonDetails[error.problem] });
    return null;
  }
}

function describe(field: DescField): string {
  if (isJsonParameter(field)) return 'a JSON object';
  if (field.scalar === ScalarType.BOOL) return 'true or false';
  return field.scalar === ScalarType.STRING || isTimestamp(field.message) ? 'text in UTF-8' : 'a plain decimal number';
}
