import type { DescField } from '@bufbuild/protobuf';
import type { Route } from '@survey/runtime/rest/route';
import { answerExampleOf, bytesExampleOf, type Examples } from './examples.ts';
import type { HeaderRules } from './headers.ts';
import type { Comments } from './proto-comments.ts';
import type { Schemas } from './schemas.ts';

type Json = Record<string, unknown>;

interface Dependencies {
  readonly comments: Comments;
  readonly schemas: Schemas;
  readonly headers: HeaderRules;
  readonly examples: Examples;
}

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } } as const;
const LINK = { Link: { description: 'Link to the next page, `rel="next"`.', schema: { type: 'string' } } } as const;
const LOCATION = { Location: { description: 'Path of the import.', schema: { type: 'string' } } } as const;

/** What operations answer when they succeed. */
export function createAnswers({ comments, schemas, headers, examples }: Dependencies) {
  const json = (route: Route, field: DescField) => ({
    'application/json': {
      schema: schemas.ofField(field, 'response'),
      example: answerExampleOf(route, field, examples),
    },
  });

  function contentOf(route: Route): Json {
    const { raw, responseBody, method } = route;
    if (responseBody !== undefined) return json(route, responseBody);
    const { output } = method;
    if (!raw || output.fields.length > 0)
      return {
        'application/json': {
          schema: schemas.ofMessage(output, 'response'),
          example: answerExampleOf(route, output, examples),
        },
      };
    // Bytes.
    const example = bytesExampleOf(route, examples);
    return { '*/*': example === undefined ? {} : { example } };
  }

  /** What a file is answered with that takes longer, or of which nothing was made. */
  function laterAnswersOf(route: Route): Json {
    const { file, successCode, method, responseBody } = route;
    const accepted = method.output.fields.find((field) => field !== responseBody && field.message !== undefined);
    if (file === undefined || accepted === undefined || responseBody === undefined) return {};
    const answers = [responseBody, accepted].map((field) => schemas.ofField(field, 'response'));
    const example = answerExampleOf(route, responseBody, examples);
    const later = { schema: answers[1], example: laterExampleOf(accepted) };
    return {
      '200': {
        description: successCode === 200 ? 'Done.' : 'Done, nothing created.',
        headers: REQUEST_ID,
        content: { 'application/json': { schema: { anyOf: answers }, example } },
      },
      '202': {
        description: 'Accepted.',
        headers: { ...REQUEST_ID, ...LOCATION },
        content: { 'application/json': later },
      },
    };
  }

  function laterExampleOf({ message }: DescField): unknown {
    const example = message && examples.records[message.name];
    if (example === undefined) throw new Error(`there is no example of ${message?.name}`);
    return example;
  }

  return {
    /** Throws when there is no example of it. */
    of(route: Route): Json {
      const { successCode, method } = route;
      const isPaged = method.output.fields.some(({ name }) => name === 'next_cursor');
      const success: Json = {
        description: successCode === 204 ? 'Done.' : comments.of(method.output.typeName),
        headers: { ...REQUEST_ID, ...headers.answersOf(route), ...(isPaged ? LINK : {}) },
        ...(successCode === 204 ? {} : { content: contentOf(route) }),
      };
      const unchanged = {
        description: 'Not changed.',
        headers: { ...REQUEST_ID, ...headers.answersOf(route) },
      };
      return {
        [String(successCode)]: success,
        ...(headers.isRevalidated(route) ? { '304': unchanged } : {}),
        ...laterAnswersOf(route),
      };
    },
  };
}
