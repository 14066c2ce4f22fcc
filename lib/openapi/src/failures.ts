import { type DescField, type DescMessage, getOption } from '@bufbuild/protobuf';
import { errors as errorsOption } from '@survey/proto/survey/options/v1/options_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { isReason, type Reason, reasons } from '@survey/runtime/errors/reasons';
import { isOwnMessage } from '@survey/runtime/rest/json-form';
import { toProblem } from '@survey/runtime/rest/problem';
import type { Route } from '@survey/runtime/rest/route';
import type { Examples } from './examples.ts';
import { type HeaderRules, rateLimit } from './headers.ts';
import { requiredFields, rulesOf } from './rules.ts';

type Json = Record<string, unknown>;

/** What operations answer when they fail. */
export interface Failures {
  /** Answers of a route by their status, those of one kind by their range. Throws when it names a reason that is none. */
  answersOf(route: Route): Json;
  /** Answers for some reasons. */
  answersFor(codes: readonly Reason[]): Json;
  /** Answers that others refer to. */
  readonly responses: Readonly<Record<string, Json>>;
  /** An example of each reason that is told of. */
  readonly examples: Readonly<Record<string, Json>>;
}

/** Whatever is asked for: these come from the state of the platform, and from how much the caller asks. */
const GENERAL: readonly Reason[] = [
  'TOO_MANY_REQUESTS',
  'INTERNAL',
  'UPSTREAM_INVALID',
  'UNAVAILABLE',
  'OVERLOADED',
  'DEADLINE_EXCEEDED',
];
const EXAMPLE_REQUEST_ID = '7f9c1c1e-52b1-4d0b-9a53-0c4d0c1f7a11';

const number = (description: string) => ({ description, schema: { type: 'integer' } });
const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } } as const;
const RETRY_AFTER = { 'Retry-After': number('Seconds to wait.') } as const;

/** Reasons, and what documents tell of them. */
export function createFailures(headers: HeaderRules, examples: Examples): Failures {
  const responses: Record<string, Json> = {};
  const shown: Record<string, Json> = {};

  function answer(codes: readonly Reason[]): Json {
    const name = codes.join('.');
    for (const code of codes) shown[code] ??= { summary: reasons[code].detail, value: problemOf(code, examples) };
    responses[name] ??= responseOf(codes);
    return { $ref: `#/components/responses/${name}` };
  }

  function answersFor(codes: readonly Reason[]): Json {
    const byStatus = Map.groupBy(codes, statusOf);
    return Object.fromEntries([...byStatus].map(([status, alike]) => [status, answer(alike)]));
  }

  return {
    responses,
    examples: shown,
    answersFor,
    answersOf: (route) => answersFor(reasonsOf(route, headers)),
  };
}

/** Reasons for which a route can fail, in the order of the table. */
function reasonsOf(route: Route, headers: HeaderRules): readonly Reason[] {
  const { access, raw, file, query, takesBody, method } = route;
  const when = (holds: boolean, ...codes: readonly Reason[]) => (holds ? codes : []);
  const all = new Set<string>([
    'INVALID_REQUEST',
    ...when(query.has('cursor'), 'INVALID_CURSOR'),
    ...when(access.kind !== 'public', 'INVALID_TOKEN'),
    ...when(access.kind === 'permission', 'PERMISSION_DENIED'),
    ...when(!raw || file !== undefined, 'NOT_ACCEPTABLE'),
    ...when(headers.takesKey(route), 'IDEMPOTENCY_KEY_REUSED'),
    ...when(headers.takesKey(route) && access.kind === 'public', 'IDEMPOTENCY_KEY_WEAK'),
    ...when(headers.isConditional(route), 'PRECONDITION_FAILED'),
    ...when(headers.isContended(route), 'VERSION_CONFLICT'),
    ...when(takesBody, 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'),
    ...when(hasRules(bodyFieldsOf(route)), 'VALIDATION_FAILED'),
    ...getOption(method, errorsOption),
    ...GENERAL,
  ]);
  for (const code of all)
    if (!isReason(code))
      throw new Error(`${method.parent.typeName}.${method.name} fails with ${code}, which is no reason`);
  return (Object.keys(reasons) as Reason[]).filter((code) => all.has(code)); // the keys of the table
}

function bodyFieldsOf({ body, members }: Route): readonly DescField[] {
  return body === undefined || body === '*' ? members : [body];
}

/** Whether values of the right types can be refused all the same. */
function hasRules(fields: readonly DescField[], known: ReadonlySet<DescMessage> = new Set()): boolean {
  return fields.some((field) => {
    const { message, name, parent } = field;
    const { own, items, names } = rulesOf(field);
    if ([own, items, names].some((rules) => Object.keys(rules).length > 0) || requiredFields(parent).has(name))
      return true;
    return isOwnMessage(message) && !known.has(message) && hasRules(message.fields, new Set([...known, message]));
  });
}

/** 503 can be waited for; whatever else is our fault is alike to a caller. */
function statusOf(code: Reason): string {
  const { status } = reasons[code];
  return status >= 500 && status !== 503 ? '5XX' : String(status);
}

function problemOf(code: Reason, { problems }: Examples) {
  return toProblem(new AppError(code, problems[code] ?? {}), EXAMPLE_REQUEST_ID).body;
}

function responseOf(codes: readonly Reason[]): Json {
  const statuses = codes.map((code) => reasons[code].status);
  const headers = {
    ...REQUEST_ID,
    ...(statuses.some((status) => status === 429 || status === 503) ? RETRY_AFTER : {}),
    ...(statuses.includes(429) ? rateLimit : {}),
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${reasons[code].detail}.`).join('\n\n'),
    headers,
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}
