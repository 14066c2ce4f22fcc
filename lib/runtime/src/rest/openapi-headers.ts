import type { DescMessage } from '@bufbuild/protobuf';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

const text = (description: string) => ({ description, schema: { type: 'string' } });

/** Response headers that operations refer to, by the names of their components. */
export const headerComponents = {
  RequestId: text('Names the request in our logs.'),
  Location: text('Path of the new record.'),
  ETag: text('Names what was answered, for `If-None-Match`, and the revision of a record, for `If-Match`.'),
  IdempotencyReplayed: text('`true` when this is the answer to an earlier request with the same `Idempotency-Key`.'),
} as const;

/** Request headers that operations refer to, by the names of their components. */
export const parameterComponents = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gives the ' +
      'first answer again. With another body it is refused.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Entity tags of the revisions that the change is meant for; that of another one is refused.',
    schema: { type: 'string' },
  },
} as const;

/** What the headers of operations say, by the routes of a document. */
export interface HeaderRules {
  /** Parameters of an operation in its headers. */
  parametersOf(route: Route): readonly Json[];
  /** Headers of the answer of an operation that succeeds. */
  answersOf(route: Route): Json;
  /** Whether it changes a record that its caller may have seen another revision of. */
  isConditional(route: Route): boolean;
}

/**
 * Records are the messages that a PUT or PATCH answers with, or a GET at whose address is a DELETE: their answers have
 * an `ETag`, and what changes one takes `If-Match`. Whatever else is read by its id has an `ETag` too. What creates, with
 * 201, takes an `Idempotency-Key`, and so does what imports.
 */
export function createHeaderRules(routes: readonly Route[]): HeaderRules {
  const deletable = new Set(routes.filter(({ httpMethod }) => httpMethod === 'DELETE').map(({ template }) => template));
  const showsRecord = ({ httpMethod, template }: Route) =>
    httpMethod === 'PUT' || httpMethod === 'PATCH' || (httpMethod === 'GET' && deletable.has(template));
  const records = new Set(routes.filter(showsRecord).map(answeredWith));
  const answersRecord = (route: Route) => {
    const message = answeredWith(route);
    return message !== undefined && records.has(message);
  };
  const creates = ({ httpMethod, successCode }: Route) => httpMethod === 'POST' && successCode === 201;
  const takesKey = (route: Route) => creates(route) || imports(route);

  function isConditional(route: Route): boolean {
    const { httpMethod } = route;
    if (httpMethod === 'POST') return !creates(route) && answersRecord(route);
    return httpMethod !== 'GET';
  }

  return {
    isConditional,
    parametersOf: (route) => [
      ...(takesKey(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(isConditional(route) ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ],
    answersOf: (route) => ({
      ...(takesKey(route) ? { 'Idempotency-Replayed': { $ref: '#/components/headers/IdempotencyReplayed' } } : {}),
      ...(creates(route) && route.access.kind !== 'public' && answeredWith(route) !== undefined
        ? { Location: { $ref: '#/components/headers/Location' } }
        : {}),
      ...(answersRecord(route) || readsById(route) ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
    }),
  };
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
