import { request as sendRequest } from 'node:http';
import document from '@survey/proto/openapi.json' with { type: 'json' };
import { inject } from 'vitest';
import type { ApiDocument, Operation } from './api-document.ts';
import type { Answer, Api } from './platform.ts';

/** How an operation is called: with the example of its body unless something else is said. */
export interface Call {
  /** Values of fields in the path, in place of the records of the walk. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Somebody else's client. */
  readonly api?: Api;
}

export interface WalkedOperation extends Operation {
  readonly verb: string;
  readonly path: string;
  /** The names of the fields in its path. */
  readonly fields: readonly string[];
}

/** Calls operations by their names, and notes which statuses they answered. */
export interface ApiWalk {
  readonly operations: readonly WalkedOperation[];
  /** Records by the names of the fields that name them in paths. */
  readonly records: Record<string, string>;
  call(operationId: string, call?: Call): Promise<Answer>;
  /** Calls with a head that promises more bytes than any operation takes, and gives the status. */
  announceTooMuch(operationId: string, token: string): Promise<number>;
  /** Statuses that the document tells of and no call was answered with. */
  unseen(): readonly string[];
}

/** Reasons that no request brings about by itself: how much is asked for, and how the platform and others fare. */
const BEYOND_REQUESTS = [
  'TOO_MANY_REQUESTS',
  'VERSION_CONFLICT',
  'UNAVAILABLE.OVERLOADED',
  'INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED',
];
const MORE_THAN_ANYTHING = 2 ** 31;

const api: ApiDocument = document;

/** Those of the API: the pages beside it take no part in the walk. */
export const operations: readonly WalkedOperation[] = Object.entries(api.paths)
  .filter(([path]) => path.startsWith('/v1/'))
  .flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({
      ...operation,
      verb: verb.toUpperCase(),
      path,
      fields: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
    })),
  );

/** The reasons for which an operation can answer with a status, with dots between; empty when it cannot, or is no failure. */
export function reasonsOf({ responses }: Operation, status: string): string {
  const answer = responses[status];
  return answer !== undefined && '$ref' in answer ? (answer.$ref.split('/').at(-1) ?? '') : '';
}

/** The example of the body that an operation takes; undefined when it takes none, or bytes. */
function exampleOf({ requestBody }: Operation): unknown {
  return requestBody?.content['application/json']?.example;
}

export function createApiWalk(own: Api): ApiWalk {
  const records: Record<string, string> = {};
  const seen = new Map(operations.map(({ operationId }) => [operationId, new Set<string>()]));

  function find(operationId: string): WalkedOperation {
    const operation = operations.find((one) => one.operationId === operationId);
    if (operation === undefined) throw new Error(`there is no operation ${operationId}`);
    return operation;
  }

  function addressOf({ path }: WalkedOperation, values: Readonly<Record<string, string>> = {}): string {
    return path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? records[name];
      if (value === undefined) throw new Error(`there is no record for {${name}}`);
      return value;
    });
  }

  return {
    operations,
    records,
    async call(operationId, { path, query, body, headers = {}, api: by = own } = {}) {
      const operation = find(operationId);
      const given = body === undefined ? exampleOf(operation) : body;
      const address = `${addressOf(operation, path)}${query === undefined ? '' : `?${query}`}`;
      const answer = await by(operation.verb, address, { headers, ...(given === undefined ? {} : { body: given }) });
      seen.get(operationId)?.add(String(answer.status));
      return answer;
    },
    announceTooMuch(operationId, token) {
      const operation = find(operationId);
      const values = Object.fromEntries(operation.fields.map((name) => [name, 'x']));
      return new Promise((done, reject) => {
        const request = sendRequest(`${inject('stack').gateway}${addressOf(operation, values)}`, {
          method: operation.verb,
          agent: false,
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'content-length': MORE_THAN_ANYTHING,
          },
        });
        request.once('error', reject);
        request.once('response', ({ statusCode = 0 }) => {
          seen.get(operationId)?.add(String(statusCode));
          request
            .off('error', reject)
            .once('error', () => undefined)
            .destroy();
          done(statusCode);
        });
        request.flushHeaders();
      });
    },
    unseen: () =>
      operations.flatMap((operation) =>
        Object.keys(operation.responses)
          .filter((status) => !seen.get(operation.operationId)?.has(status))
          .filter((status) => !BEYOND_REQUESTS.includes(reasonsOf(operation, status)))
          .map((status) => `${operation.operationId} ${status} ${reasonsOf(operation, status)}`.trim()),
      ),
  };
}
