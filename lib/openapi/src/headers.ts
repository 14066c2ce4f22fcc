import { type DescMessage, getOption } from '@bufbuild/protobuf';
import {
  errors as errorsOption,
  gives_header as givesHeader,
  takes_header as takesHeader,
} from '@survey/proto/survey/options/v1/options_pb';
import type { ErrorCode } from '@survey/runtime/errors/error-codes';
import type { Route } from '@survey/runtime/rest/route';

type Json = Record<string, unknown>;

const textHeader = (description: string) => ({ description, schema: { type: 'string' } });

/** Referenced response headers by name. */
export const headerComponents = {
  RequestId: textHeader('Identifies the request in the logs of the platform.'),
  Location: textHeader('Path of the new record.'),
  ETag: textHeader('Identifies the revision, for `If-None-Match` and `If-Match`.'),
  RateLimit: textHeader('The remaining requests, and the seconds until the limit resets.'),
  RateLimitPolicy: textHeader('The limit: requests per number of seconds.'),
  IdempotencyReplayed: textHeader('`true` if this is the reply to an earlier request with the same `Idempotency-Key`.'),
} as const;

/** Headers of all responses. */
export const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } } as const;

/** Headers of responses to callers with a rate limit. */
export const rateLimit = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
} as const;

const EXAMPLE_KEY = '9b2f6d1e-7a54-4c3b-8f0a-2d61c5e8b713';
/** The format that `readPublicIdempotencyKey` accepts. */
const RANDOM_UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[47][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$';
const KEY_DESCRIPTION =
  'Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first ' +
  'reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7).';

/** Referenced request headers by name. */
export const parameterComponents = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: KEY_DESCRIPTION,
    schema: { type: 'string', examples: [EXAMPLE_KEY], pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  PublicIdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: KEY_DESCRIPTION,
    schema: { type: 'string', examples: [EXAMPLE_KEY], pattern: RANDOM_UUID },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` of the record that you want to change. If the record has changed, you get 412.',
    schema: { type: 'string', examples: ['"3"'] },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the version that you have. If it is current, you get 304 without a body.',
    schema: { type: 'string', examples: ['"3"'] },
  },
} as const;

/** Derives the headers of operations from the routes of a document. */
export interface HeaderRules {
  /** The request headers of an operation. */
  requestHeadersOf(route: Route): readonly Json[];
  /** The headers of the successful response. */
  responseHeadersOf(route: Route): Json;
  /** Whether it can return 304 for an `If-None-Match`. */
  isRevalidated(route: Route): boolean;
  /** Whether it accepts an `Idempotency-Key`. */
  takesKey(route: Route): boolean;
  /** Whether it accepts an `If-Match`. */
  isConditional(route: Route): boolean;
  /** Whether it can fail after repeated concurrent changes of the record. */
  isContended(route: Route): boolean;
}

/**
 * A record is a message that PUT or PATCH returns, or GET if its path also has DELETE. A record has an `ETag`, and its
 * changes accept `If-Match`. Other messages that are read by id have an `ETag` too.
 *
 * Creations (201) and imports accept an `Idempotency-Key`. The contract marks other such operations by their error
 * codes.
 */
export function createHeaderRules(routes: readonly Route[]): HeaderRules {
  const templatesOf = (...methods: readonly Route['httpMethod'][]) =>
    new Set(routes.filter(({ httpMethod }) => methods.includes(httpMethod)).map(({ template }) => template));
  const [deletable, changeable] = [templatesOf('DELETE'), templatesOf('PUT', 'PATCH')];
  const showsRecord = ({ httpMethod, template }: Route) =>
    httpMethod === 'PUT' || httpMethod === 'PATCH' || (httpMethod === 'GET' && deletable.has(template));
  const records = new Set(routes.filter(showsRecord).map(responseMessageOf));
  const returnsRecord = (route: Route) => {
    const message = responseMessageOf(route);
    return message !== undefined && records.has(message);
  };
  const isCreation = ({ httpMethod, successCode }: Route) => httpMethod === 'POST' && successCode === 201;
  const takesKey = (route: Route) =>
    isCreation(route) || isImport(route) || listsError(route, 'IDEMPOTENCY_KEY_REUSED');

  function isConditional(route: Route): boolean {
    if (listsError(route, 'PRECONDITION_FAILED')) return true;
    if (route.isRead) return false;
    return route.httpMethod !== 'POST' || (!isCreation(route) && returnsRecord(route));
  }

  const readable = new Set(routes.filter(readsById).map(responseMessageOf));
  const hasETag = (route: Route) =>
    returnsRecord(route) || readsById(route) || (isConditional(route) && readable.has(responseMessageOf(route)));
  const isRevalidated = (route: Route) => route.httpMethod === 'GET' && hasETag(route);

  return {
    isRevalidated,
    takesKey,
    isConditional,
    isContended: (route) => isConditional(route) && (route.httpMethod !== 'DELETE' || changeable.has(route.template)),
    requestHeadersOf: (route) => [
      ...(takesKey(route) ? [{ $ref: `#/components/parameters/${keyComponentOf(route)}` }] : []),
      ...(isConditional(route) ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
      ...(isRevalidated(route) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
      ...getOption(route.method, takesHeader).map(({ name, description }) => ({
        name,
        in: 'header',
        description,
        schema: { type: 'string' },
      })),
    ],
    responseHeadersOf: (route) => ({
      ...(route.access.kind === 'public' ? {} : rateLimit),
      ...(takesKey(route) ? { 'Idempotency-Replayed': { $ref: '#/components/headers/IdempotencyReplayed' } } : {}),
      ...(isCreation(route) && route.access.kind !== 'public' && responseMessageOf(route) !== undefined
        ? { Location: { $ref: '#/components/headers/Location' } }
        : {}),
      ...(hasETag(route) ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
      ...Object.fromEntries(
        getOption(route.method, givesHeader).map(({ name, description }) => [name, textHeader(description)]),
      ),
    }),
  };
}

/** Whether the contract lists the error code for the operation. */
function listsError({ method }: Route, code: ErrorCode): boolean {
  return getOption(method, errorsOption).includes(code);
}

function keyComponentOf({ access }: Route): keyof typeof parameterComponents {
  return access.kind === 'public' ? 'PublicIdempotencyKey' : 'IdempotencyKey';
}

/** Whether an operation imports a file. Plans of imports store nothing. */
function isImport({ access, isRead }: Route): boolean {
  return !isRead && access.kind === 'permission' && access.permission.endsWith(':import');
}

function readsById(route: Route): boolean {
  const isByField = route.segments.some((segment) => 'field' in segment);
  return route.httpMethod === 'GET' && isByField && responseMessageOf(route) !== undefined;
}

/** The message of the response body, if it is a single message. */
function responseMessageOf({ responseBody }: Route): DescMessage | undefined {
  return responseBody?.fieldKind === 'message' ? responseBody.message : undefined;
}
