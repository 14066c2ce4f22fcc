import { randomUUID } from 'node:crypto';
import { request as sendRequest } from 'node:http';
import document from '@survey/proto/openapi.json' with { type: 'json' };
import { poll } from '@survey/runtime/testing/poll';
import { inject } from 'vitest';
import { type Api, createApi, type Reply } from '../platform.ts';
import {
  type ApiDocument,
  type DocumentedResponse,
  type MemberSchema,
  type Operation,
  resolve,
} from './api-document.ts';

/** The differences from the default call of an operation. */
export interface Call {
  /** Values of path fields; by default ids of the walk's records. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Another client. */
  readonly api?: Api;
}

export interface WalkedOperation extends Operation {
  readonly verb: string;
  readonly path: string;
  /** The names of the path fields. */
  readonly fields: readonly string[];
}

/** Calls operations by name and records the reply statuses. */
export interface ApiWalk {
  /** Ids of records by path field. */
  readonly records: Record<string, string>;
  /** Creates a record for each path field. */
  makeRecords(): Promise<void>;
  /** Waits until no replay of the webhook runs: a webhook has one at a time. */
  endReplays(): Promise<void>;
  /** Calls an operation with its default call and the given changes. */
  call(operationId: string, change?: Call): Promise<Reply>;
  /** The ids of requests that succeeded with 2xx. */
  requestsOf(operationId: string): readonly string[];
  /** Sends a head with a `Content-Length` above every limit, and returns the status. */
  announceTooMuch(operationId: string, token: string): Promise<number>;
  /** Documented statuses that no call has returned. */
  unseen(): readonly string[];
}

/** Errors that single requests do not cause: limits, and failures of the platform and of other services. */
const BEYOND_REQUESTS = new Set([
  'TOO_MANY_REQUESTS',
  'VERSION_CONFLICT',
  'UNAVAILABLE',
  'OVERLOADED',
  'INTERNAL',
  'UPSTREAM_INVALID',
  'DEADLINE_EXCEEDED',
]);
const MORE_THAN_ANYTHING = 2 ** 31;

const api: ApiDocument = document;

/** The operations of the API, without the other pages of the gateway. */
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

/** The documented error codes of an operation for a status. */
export function codesOf({ responses }: Operation, status: string): readonly string[] {
  const reply = responses[status];
  if (reply === undefined) return [];
  const { content = {} } = resolve<DocumentedResponse>(document, reply);
  return Object.keys(content['application/problem+json']?.examples ?? {});
}

function findOperation(operationId: string): WalkedOperation {
  const operation = operations.find((one) => one.operationId === operationId);
  if (operation === undefined) throw new Error(`unknown operation ${operationId}`);
  return operation;
}

/** The documented example of the request body; undefined for no body and for files. */
export function exampleOf(operationId: string): unknown {
  return findOperation(operationId).requestBody?.content['application/json']?.example;
}

/** The members of the body that an operation takes, with their schemas. */
export function bodyMembersOf(operationId: string): Readonly<Record<string, MemberSchema>> {
  return membersOf(findOperation(operationId).requestBody?.content['application/json']?.schema ?? {});
}

export function membersOf(schema: object): Readonly<Record<string, MemberSchema>> {
  const { properties = {} } = withoutNull(schema);
  return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, withoutNull(member)]));
}

/** Resolves references, including those of items, and `anyOf` with null. */
function withoutNull(schema: object): MemberSchema {
  // Of two schemas the other one is null.
  if ('anyOf' in schema) return withoutNull((schema.anyOf as readonly object[])[0] ?? {});
  const { items, ...member } = resolve<MemberSchema>(document, schema);
  return items === undefined ? member : { ...member, items: resolve<MemberSchema>(document, items) };
}

export const isPublic = ({ path }: { readonly path: string }) => path.startsWith('/v1/public/');

export function createApiWalk(own: Api): ApiWalk {
  const records: Record<string, string> = {};
  const seen = new Map(operations.map(({ operationId }) => [operationId, new Set<string>()]));
  const succeeded = new Map(operations.map(({ operationId }) => [operationId, [] as string[]]));

  function addressOf({ path }: WalkedOperation, values: Readonly<Record<string, string>> = {}): string {
    return path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? records[name];
      if (value === undefined) throw new Error(`no record for the path field {${name}}`);
      return value;
    });
  }

  /** Replaces examples that cannot be sent unchanged: they contain ids of other records, or must be unique. */
  function usualCallOf(operationId: string): Call {
    const { begun_id = '', resume_token = '', single_use_id = '' } = records;
    const octets = { body: 'about me', headers: { 'content-type': 'application/octet-stream' } };
    const resumed = { path: { response_id: begun_id }, headers: { 'resume-token': resume_token } };
    switch (operationId) {
      case 'uploadPublicFile':
      case 'uploadLinkFile':
        return { ...octets, query: 'question_id=receipt' };
      case 'getPublicResponse':
        return resumed;
      case 'updatePublicResponse':
        return { ...resumed, body: { data: { comment: 'More soup.' } } };
      case 'createWebhook':
        return { body: { url: 'http://127.0.0.1:9/', event_types: ['survey.*'] } };
      case 'updateWebhook':
        return { body: { description: 'Into the archive' } };
      case 'createLink':
        return { body: { max_responses: 500 } };
      case 'createLinkTokens':
        return { path: { link_id: single_use_id } };
      case 'createUser':
        return { body: { email: `${randomUUID()}@example.org`, role: 'viewer' } };
      case 'replayWebhook':
        return { body: {} };
      case 'deletePlannedResponses':
        // No response matches the example of a plan.
        return { body: { expected_count: 0 } };
      case 'listResponseCounts':
        return { query: `survey_ids=${records['survey_id']}` };
      default:
        return {};
    }
  }

  async function call(operationId: string, change: Call = {}): Promise<Reply> {
    const operation = findOperation(operationId);
    const usual = usualCallOf(operationId);
    const { path, query, body = exampleOf(operationId), api: by = own } = { ...usual, ...change };
    const headers = { ...usual.headers, ...change.headers };
    const address = `${addressOf(operation, path)}${query === undefined ? '' : `?${query}`}`;
    const reply = await by(operation.verb, address, { headers, ...(body === undefined ? {} : { body }) });
    seen.get(operationId)?.add(String(reply.status));
    if (reply.status < 300) succeeded.get(operationId)?.push(reply.headers.get('x-request-id') ?? '');
    return reply;
  }

  async function makeRecords(): Promise<void> {
    const anonymous = createApi();
    const keep = async (name: string, operationId: string, change?: Call) => {
      const { body } = await call(operationId, change);
      records[name] = body.id;
      return body;
    };
    await keep('webhook_id', 'createWebhook');
    await keep('project_id', 'createProject');
    await keep('survey_id', 'createSurvey');
    await call('publishSurvey');
    records['version'] = '1';
    records['question_id'] = 'receipt';
    await keep('user_id', 'createUser');
    await keep('key_id', 'createApiKey');
    await keep('single_use_id', 'createLink', { body: { single_use: true } });
    records['slug'] = (await keep('link_id', 'createLink')).slug;
    const inProgress = { status: 'in_progress', data: {} };
    const begun = await keep('begun_id', 'submitPublicResponse', { body: inProgress, api: anonymous });
    records['resume_token'] = begun.resume_token;
    const { body: file } = await call('uploadPublicFile', { api: anonymous });
    records['file_id'] = file.file_id;
    const data = { satisfaction: 'happy', receipt: [{ file_id: file.file_id }] };
    await keep('response_id', 'createResponse', { body: { data } });
    records['plan_id'] = (await call('planResponseDeletion')).body.plan_id;
    await keep('import_id', 'importSurvey', { headers: { prefer: 'respond-async' } });
    records['delivery_id'] = (await poll(async () => (await call('listDeliveries')).body[0])).id;
    await keep('replay_id', 'replayWebhook');
    await endReplays();
  }

  async function endReplays(): Promise<void> {
    await poll(async () => {
      const { body } = await call('listReplays');
      return body.every(({ status }: { readonly status: string }) => status !== 'running');
    });
  }

  return {
    records,
    makeRecords,
    call,
    endReplays,
    requestsOf: (operationId) => succeeded.get(operationId) ?? [],
    announceTooMuch(operationId, token) {
      const operation = findOperation(operationId);
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
          .map((status) => ({ status, codes: codesOf(operation, status) }))
          .filter(({ codes }) => codes.length === 0 || !codes.every((code) => BEYOND_REQUESTS.has(code)))
          .map(({ status, codes }) => [operation.operationId, status, ...codes].join(' ')),
      ),
  };
}
