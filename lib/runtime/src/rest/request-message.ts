import type { IncomingMessage } from 'node:http';
import { create, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { FieldMaskSchema } from '@bufbuild/protobuf/wkt';
import { AppError, type FieldProblem } from '../errors/app-error.ts';
import { isObject } from '../json/is-object.ts';
import type { MessageCheck } from '../rpc/message-check.ts';
import { updateMaskOf } from '../rpc/update-mask.ts';
import type { FileQuery } from './file-query.ts';
import { isMessageWithMembers } from './json-form.ts';
import { messageFromJson } from './json-input.ts';
import { patchPaths } from './patch-paths.ts';
import { parameterPath, readQuery } from './query.ts';
import { hasBody, readJsonBody, toMembers } from './request-body.ts';
import type { Route } from './route.ts';

/** The URL of a request: decoded path parameters, and the raw query. */
export interface UrlValues {
  readonly params: Readonly<Record<string, string>>;
  readonly query: string;
}

/** Reads and validates the request message. Throws `INVALID_REQUEST`, `VALIDATION_FAILED`, or like `readJsonBody`. */
export async function readMessage(
  route: Route,
  { params, query }: UrlValues,
  request: IncomingMessage,
  checkMessage: MessageCheck,
): Promise<MessageShape<DescMessage>> {
  const { method, body, updateMask } = route;
  if (route.file !== undefined) return readFileMessage(route, route.file, { params, query });
  const fromUrl = { ...readQuery(query, route.query), ...params };
  const json = await readBodyOf(route, request);
  const members = body === '*' ? toMembers(json, params) : {};
  try {
    const fromBody = body === undefined || body === '*' ? members : { [body.name]: json };
    const given = { ...fromBody, ...fromUrl };
    const message = messageFromJson(method.input, given, (schema) => findMissing(schema, given, checkMessage));
    if (updateMask !== undefined) {
      const mask = create(FieldMaskSchema, { paths: patchPaths(route.members, members) });
      reflect(method.input, message).set(updateMask, reflect(FieldMaskSchema, mask));
    }
    withMissing(given, () => checkMessage(method.input, message));
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
export function withMissing(given: object, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof AppError) || error.errors.length === 0) throw error;
    const errors = error.errors.map((problem) => (isMissing(given, problem.path) ? toRequired(problem) : problem));
    throw new AppError(error.code, { errors, cause: error });
  }
}

/** The required members that a request lacks, in nested objects too. They are reported together with invalid ones. */
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
function readFileMessage(route: Route, file: FileQuery, { params, query }: UrlValues): MessageShape<DescMessage> {
  const members = file.toMembers(readQuery(query, file.fields));
  return messageFromJson(route.method.input, { ...members, ...params });
}

async function readBodyOf({ body, takesBody, maxBodyBytes }: Route, request: IncomingMessage): Promise<unknown> {
  if (!takesBody && hasBody(request)) throw new AppError('INVALID_REQUEST', { detail: 'This operation takes no body' });
  return body === undefined ? undefined : readJsonBody(request, maxBodyBytes);
}

/** Makes paths relative to the body. Problems of query parameters make the request malformed. */
function toRequestError(error: AppError, route: Route): AppError {
  const { body, query } = route;
  const inQuery = error.errors.some(({ path }) => query.has(path.split('/')[1] ?? ''));
  const prefix = body === undefined || body === '*' ? undefined : `/${body.name}`;
  const errors = error.errors.map((problem) =>
    prefix !== undefined && `${problem.path}/`.startsWith(`${prefix}/`)
      ? { ...problem, path: problem.path.slice(prefix.length) }
      : nameParameter(problem, query, route),
  );
  return new AppError(inQuery ? 'INVALID_REQUEST' : error.code, { errors, cause: error });
}

/**
 * Whether the body of an operation that takes files is the file. The query decides: it has the parameters that a JSON
 * body has as members. A file can be JSON, too.
 */
export function isFileBody({ url }: Pick<IncomingMessage, 'url'>): boolean {
  return url?.includes('?') ?? false;
}

/**
 * Names parameters in the problems of a request without a JSON body, which has no other members: `?limit` of the query,
 * `{survey_id}` of the path. They must not look like pointers into a body.
 */
export function nameParameters(error: AppError, route: Route, request: Pick<IncomingMessage, 'url'>): AppError {
  const { body, file } = route;
  const isFile = file !== undefined && isFileBody(request);
  if (error.errors.length === 0 || (body !== undefined && !isFile)) return error;
  const query = isFile ? file.fields : route.query;
  return new AppError(error.code, {
    detail: error.message,
    errors: error.errors.map((problem) => nameParameter(problem, query, route)),
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    // Not the error itself: causes are logged, and its text can name what a client sent.
    cause: error.cause,
  });
}

function nameParameter(problem: FieldProblem, query: Route['query'], { segments, members }: Route): FieldProblem {
  const [start, first = '', second = ''] = problem.path.split('/');
  if (start !== '') return problem;
  // Parameters of a file can be fields of a nested message, such as `options`.
  const isNested = members.some(({ name, message }) => name === first && isMessageWithMembers(message));
  const name = isNested ? second : first;
  if (query.has(name)) return { ...problem, path: parameterPath(name) };
  const isInPath = segments.some((segment) => 'field' in segment && segment.field.name === name);
  return isInPath ? { ...problem, path: `{${name}}` } : problem;
}
