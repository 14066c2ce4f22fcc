import { type DescMessage, getOption } from '@bufbuild/protobuf';
import {
  errors as errorsOption,
  gives_header as givesHeader,
  takes_header as takesHeader,
} from '@survey/proto/survey/options/v1/options_pb';
import type { Reason } from '@survey/runtime/errors/reasons';
import type { Route } from '@survey/runtime/rest/route';

type Json = Record<string, unknown>;

const text = (description: string) => ({ description, schema: { type: 'string' } });

/** Response headers that operations refer to, by the names of their components. */
export const headerComponents = {
  RequestId: text('Id of the request in the logs of the platform.'),
  Location: text('Path of the new record.'),
  ETag: text('Entity tag of the reply, for `If-None-Match`; of a record, also for `If-Match`.'),
  RateLimit: text('Requests left in the quota, and seconds until more are available.'),
  RateLimitPolicy: text('The quota: requests, and seconds.'),
  IdempotencyReplayed: text('`true` if this is the reply to an earlier request with the same `Idempotency-Key`.'),
} as const;

/** Of answers to callers whose requests are counted. */
export const rateLimit = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
} as const;

const EXAMPLE_KEY = '9b2f6d1e-7a54-4c3b-8f0a-2d61c5e8b713';
/** As `readPublicIdempotencyKey` takes it. */
const RANDOM_UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[47][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$';

/** Request headers that operations refer to, by the names of their components. */
export const parameterComponents = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes retries safe: the same key and body within 24 hours create nothing more and get the first reply again. ' +
      'The same key with another body is rejected.',
    schema: { type: 'string', examples: [EXAMPLE_KEY], pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  PublicIdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A random UUID, version 4 or 7. It makes retries safe: the same key and body within 24 hours create nothing more ' +
      'and get the first reply again. The same key with another body is rejected.',
    schema: { type: 'string', examples: [EXAMPLE_KEY], pattern: RANDOM_UUID },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Entity tags of the record that you read. If the record has changed since, the request is rejected.',
    schema: { type: 'string', examples: ['"3"'] },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags of the reply that you have. If it has not changed, you get 304.',
    schema: { type: 'string', examples: ['"3"'] },
  },
} as const;

/** What the headers of operations say, by the routes of a document. */
export interface HeaderRules {
  /** Parameters of an operation in its headers. */
  parametersOf(route: Route): readonly Json[];
  /** Headers of the answer of an operation that succeeds. */
  answersOf(route: Route): Json;
  /** Whether it is not sent again to who has it. */
  isRevalidated(route: Route): boolean;
  /** Whether it takes an `Idempotency-Key`. */
  takesKey(route: Route): boolean;
  /** Whether it changes a record that its caller may have seen another revision of. */
  isConditional(route: Route): boolean;
  /** Whether it may give up on a record that others keep changing. */
  isContended(route: Route): boolean;
}

/**
 * Records are the messages that a PUT or PATCH answers with, or a GET at whose address is a DELETE: their answers have
 * an `ETag`, and what changes one takes `If-Match`. Whatever else is read by its id has an `ETag` too, there and where it
 * is answered to a change. What creates, with 201, takes an `Idempotency-Key`, and so does what imports. What else does
 * either names the reason for which it refuses it.
 */
export function createHeaderRules(routes: readonly Route[]): HeaderRules {
  const templatesOf = (...methods: readonly Route['httpMethod'][]) =>
    new Set(routes.filter(({ httpMethod }) => methods.includes(httpMethod)).map(({ template }) => template));
  const [deletable, changeable] = [templatesOf('DELETE'), templatesOf('PUT', 'PATCH')];
  const showsRecord = ({ httpMethod, template }: Route) =>
    httpMethod === 'PUT' || httpMethod === 'PATCH' || (httpMethod === 'GET' && deletable.has(template));
  const records = new Set(routes.filter(showsRecord).map(answeredWith));
  const answersRecord = (route: Route) => {
    const message = answeredWith(route);
    return message !== undefined && records.has(message);
  };
  const creates = ({ httpMethod, successCode }: Route) => httpMethod === 'POST' && successCode === 201;
  const takesKey = (route: Route) => creates(route) || imports(route) || says(route, 'IDEMPOTENCY_KEY_REUSED');

  function isConditional(route: Route): boolean {
    const { httpMethod } = route;
    if (says(route, 'PRECONDITION_FAILED')) return true;
    if (httpMethod === 'POST') return !creates(route) && answersRecord(route);
    return httpMethod !== 'GET';
  }

  const readable = new Set(routes.filter(readsById).map(answeredWith));
  const isTagged = (route: Route) =>
    answersRecord(route) || readsById(route) || (isConditional(route) && readable.has(answeredWith(route)));
  const isRevalidated = (route: Route) => route.httpMethod === 'GET' && isTagged(route);

  return {
    isRevalidated,
    takesKey,
    isConditional,
    isContended: (route) => isConditional(route) && (route.httpMethod !== 'DELETE' || changeable.has(route.template)),
    parametersOf: (route) => [
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
    answersOf: (route) => ({
      ...(route.access.kind === 'public' ? {} : rateLimit),
      ...(takesKey(route) ? { 'Idempotency-Replayed': { $ref: '#/components/headers/IdempotencyReplayed' } } : {}),
      ...(creates(route) && route.access.kind !== 'public' && answeredWith(route) !== undefined
        ? { Location: { $ref: '#/components/headers/Location' } }
        : {}),
      ...(isTagged(route) ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
      ...Object.fromEntries(
        getOption(route.method, givesHeader).map(({ name, description }) => [name, text(description)]),
      ),
    }),
  };
}

/** Whether the contract says that it can fail for this reason. */
function says({ method }: Route, reason: Reason): boolean {
  return getOption(method, errorsOption).includes(reason);
}

function keyComponentOf({ access }: Route): keyof typeof parameterComponents {
  return access.kind === 'public' ? 'PublicIdempotencyKey' : 'IdempotencyKey';
}

function imports({ access }: Route): boolean {
  return access.kind === 'permission' && access.permission.endsWith(':import');
}

function readsById(route: Route): boolean {
  const isByField = route.segments.some((segment) => 'field' in segment);
  return route.httpMethod === 'GET' && isByField && answeredWith(route) !== undefined;
}

/** The message that is the body of the answer, when it is a single one of its own. */
function answeredWith({ responseBody }: Route): DescMessage | undefined {
  return responseBody?.fieldKind === 'message' ? responseBody.message : undefined;
}
