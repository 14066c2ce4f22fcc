import { isDeepStrictEqual } from 'node:util';
import { type DescField, type DescMessage, getOption } from '@bufbuild/protobuf';
import { errors as errorsOption } from '@survey/proto/survey/options/v1/options_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { errorAdvice } from '@survey/runtime/errors/error-advice';
import { type ErrorCode, errorCodes, isErrorCode } from '@survey/runtime/errors/error-codes';
import { isMessageWithMembers } from '@survey/runtime/rest/json-form';
import { toProblem } from '@survey/runtime/rest/problem';
import type { Route } from '@survey/runtime/rest/route';
import type { Examples } from './examples.ts';
import { type HeaderRules, REQUEST_ID, rateLimit } from './headers.ts';
import { describesBody } from './requests.ts';
import { requiredFields, rulesOf } from './rules.ts';

type Json = Record<string, unknown>;

/** The error responses of operations. */
export interface Failures {
  /** The error responses of a route by status or range. Throws if the contract has an unknown error code. */
  responsesOf(route: Route): Json;
  /** The responses for some error codes. */
  responsesFor(codes: readonly ErrorCode[]): Json;
  /** The responses for `components.responses`, by name. */
  readonly responses: Readonly<Record<string, Json>>;
  /** An example of each documented error code. */
  readonly examples: Readonly<Record<string, Json>>;
}

/** Errors that every operation can return. */
const GENERAL: readonly ErrorCode[] = [
  'TOO_MANY_REQUESTS',
  'INTERNAL',
  'UPSTREAM_INVALID',
  'UNAVAILABLE',
  'OVERLOADED',
  'DEADLINE_EXCEEDED',
];
const GENERAL_NAMES: Readonly<Record<string, string>> = { '503': 'Unavailable', '5XX': 'ServerError' };
const EXAMPLE_REQUEST_ID = '7f9c1c1e-52b1-4d0b-9a53-0c4d0c1f7a11';

const integerHeader = (description: string) => ({ description, schema: { type: 'integer' } });
const RETRY_AFTER = { 'Retry-After': integerHeader('Seconds to wait.') } as const;

/** Describes the error codes of operations. */
export function createFailures(headers: HeaderRules, examples: Examples): Failures {
  const responses: Record<string, Json> = {};
  const usedExamples: Record<string, Json> = {};

  /**
   * Returns a reference if many operations share the response: for a single code, or for the general errors of a
   * status.
   */
  function responseFor(status: string, codes: readonly ErrorCode[]): Json {
    for (const code of codes)
      usedExamples[code] ??= { summary: errorCodes[code].detail, value: problemOf(code, examples) };
    const name = nameOf(status, codes);
    if (name === undefined) return responseOf(codes);
    responses[name] ??= responseOf(codes);
    return { $ref: `#/components/responses/${name}` };
  }

  function responsesFor(codes: readonly ErrorCode[]): Json {
    const byStatus = Map.groupBy(codes, statusOf);
    return Object.fromEntries([...byStatus].map(([status, group]) => [status, responseFor(status, group)]));
  }

  return {
    responses,
    examples: usedExamples,
    responsesFor,
    responsesOf: (route) => responsesFor(codesOf(route, headers)),
  };
}

/** The possible error codes of a route, in the order of `errorCodes`. */
function codesOf(route: Route, headers: HeaderRules): readonly ErrorCode[] {
  const { access, query, members, method } = route;
  const when = (holds: boolean, ...codes: readonly ErrorCode[]) => (holds ? codes : []);
  const all = new Set<string>([
    'INVALID_REQUEST',
    ...when(
      [...query.values(), ...members].some(({ name }) => name === 'cursor'),
      'INVALID_CURSOR',
    ),
    ...when(access.kind !== 'public', 'INVALID_TOKEN'),
    ...when(access.kind === 'permission', 'PERMISSION_DENIED'),
    ...when(route.repliesInJson, 'NOT_ACCEPTABLE'),
    ...when(headers.takesKey(route), 'IDEMPOTENCY_KEY_REUSED'),
    ...when(headers.takesKey(route) && access.kind === 'public', 'IDEMPOTENCY_KEY_WEAK'),
    ...when(headers.isConditional(route), 'PRECONDITION_FAILED'),
    ...when(headers.isContended(route), 'VERSION_CONFLICT'),
    ...when(describesBody(route), 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'),
    ...when(hasRules(bodyFieldsOf(route)), 'VALIDATION_FAILED'),
    ...getOption(method, errorsOption),
    ...GENERAL,
  ]);
  for (const code of all)
    if (!isErrorCode(code))
      throw new Error(`${method.parent.typeName}.${method.name} has the unknown error code ${code}`);
  return (Object.keys(errorCodes) as ErrorCode[]).filter((code) => all.has(code)); // TypeScript does not know the keys
}

function bodyFieldsOf({ body, members }: Route): readonly DescField[] {
  return body === undefined || body === '*' ? members : [body];
}

/** Whether values of the right type can still be invalid. */
function hasRules(fields: readonly DescField[], visited: ReadonlySet<DescMessage> = new Set()): boolean {
  return fields.some((field) => {
    const { message, name, parent } = field;
    const { own, items, names } = rulesOf(field);
    if ([own, items, names].some((rules) => Object.keys(rules).length > 0) || requiredFields(parent).has(name))
      return true;
    return (
      isMessageWithMembers(message) && !visited.has(message) && hasRules(message.fields, new Set([...visited, message]))
    );
  });
}

/** 503 is separate, because clients can retry. Other server errors share a range. */
function statusOf(code: ErrorCode): string {
  const { status } = errorCodes[code];
  return status >= 500 && status !== 503 ? '5XX' : String(status);
}

/**
 * The name of a response that operations share: `SURVEY_NOT_FOUND` → `SurveyNotFound`. Undefined for several codes that
 * are not the general ones. Generators of clients make types of these names, so they are short.
 */
function nameOf(status: string, codes: readonly ErrorCode[]): string | undefined {
  const general = GENERAL.filter((code) => statusOf(code) === status);
  if (codes.length > 1) return isDeepStrictEqual(codes, general) ? GENERAL_NAMES[status] : undefined;
  return codes[0]?.toLowerCase().replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}

function problemOf(code: ErrorCode, { problems }: Examples) {
  return toProblem(new AppError(code, problems[code] ?? {}), EXAMPLE_REQUEST_ID).body;
}

function responseOf(codes: readonly ErrorCode[]): Json {
  const statuses = codes.map((code) => errorCodes[code].status);
  const headers = {
    ...REQUEST_ID,
    ...(statuses.some((status) => status === 429 || status === 503) ? RETRY_AFTER : {}),
    ...(statuses.includes(429) ? rateLimit : {}),
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].detail}. ${errorAdvice[code]}`).join('\n\n'),
    headers,
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}
