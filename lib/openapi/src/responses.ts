import type { DescField } from '@bufbuild/protobuf';
import type { Route } from '@survey/runtime/rest/route';
import { type Examples, ownResponseExampleOf, responseExampleOf } from './examples.ts';
import { type HeaderRules, REQUEST_ID } from './headers.ts';
import type { Comments } from './proto-comments.ts';
import type { Schemas } from './schemas.ts';

type Json = Record<string, unknown>;

interface Dependencies {
  readonly comments: Comments;
  readonly schemas: Schemas;
  readonly headers: HeaderRules;
  readonly examples: Examples;
}

const LINK = { Link: { description: 'The next page, `rel="next"`.', schema: { type: 'string' } } } as const;
const LOCATION = { Location: { description: 'The URL of the job.', schema: { type: 'string' } } } as const;

/** Describes the successful responses of operations. */
export function createResponses({ comments, schemas, headers, examples }: Dependencies) {
  const json = (route: Route, field: DescField) => ({
    'application/json': {
      schema: schemas.ofField(field, 'response'),
      example: responseExampleOf(route, field, examples),
    },
  });

  function contentOf(route: Route): Json {
    const { hasRawHandler, responseBody, method } = route;
    if (responseBody !== undefined) return json(route, responseBody);
    const { output } = method;
    if (!hasRawHandler || output.fields.length > 0)
      return {
        'application/json': {
          schema: schemas.ofMessage(output, 'response'),
          example: responseExampleOf(route, output, examples),
        },
      };
    // The response is a file.
    const example = ownResponseExampleOf(route, examples);
    return { '*/*': { schema: { type: 'string', format: 'binary' }, ...(example === undefined ? {} : { example }) } };
  }

  /**
   * The further responses to an uploaded file. 202: the job still runs. 200: the job has ended, or nothing was created.
   */
  function fileResponsesOf(route: Route): Json {
    const { fileQuery, successCode, method, responseBody } = route;
    const jobField = method.output.fields.find((field) => field !== responseBody && field.message !== undefined);
    if (fileQuery === undefined || jobField === undefined || responseBody === undefined) return {};
    const schemasOfBoth = [responseBody, jobField].map((field) => schemas.ofField(field, 'response'));
    const example = responseExampleOf(route, responseBody, examples);
    const jobContent = { schema: schemasOfBoth[1], example: recordExampleOf(jobField) };
    return {
      '200': {
        description: successCode === 200 ? 'Done.' : 'Done, nothing created.',
        headers: REQUEST_ID,
        content: { 'application/json': { schema: { anyOf: schemasOfBoth }, example } },
      },
      '202': {
        description: 'Accepted.',
        headers: { ...REQUEST_ID, ...LOCATION },
        content: { 'application/json': jobContent },
      },
    };
  }

  function recordExampleOf({ message }: DescField): unknown {
    const example = message && examples.records[message.name];
    if (example === undefined) throw new Error(`${message?.name} has no example`);
    return example;
  }

  return {
    /** Returns the successful responses of an operation by status. Throws if an example is missing. */
    of(route: Route): Json {
      const { successCode, method, responseBody } = route;
      const isPaged = responseBody !== undefined && method.output.fields.some(({ name }) => name === 'next_cursor');
      const success: Json = {
        description: successCode === 204 ? 'Done.' : comments.of(method.output.typeName),
        headers: { ...REQUEST_ID, ...headers.responseHeadersOf(route), ...(isPaged ? LINK : {}) },
        ...(successCode === 204 ? {} : { content: contentOf(route) }),
      };
      const unchanged = {
        description: 'The client has the current version.',
        headers: { ...REQUEST_ID, ...headers.responseHeadersOf(route) },
      };
      return {
        [String(successCode)]: success,
        ...(headers.isRevalidated(route) ? { '304': unchanged } : {}),
        ...fileResponsesOf(route),
      };
    },
  };
}
