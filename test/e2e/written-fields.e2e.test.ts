import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@survey/runtime/json/is-object';
import { beforeAll, describe, expect, it } from 'vitest';
import type { MemberSchema } from '../support/api/api-document.ts';
import {
  type ApiWalk,
  bodyMembersOf,
  type Call,
  createApiWalk,
  exampleOf,
  isPublic,
  membersOf,
  operations,
  type WalkedOperation,
} from '../support/api/api-walk.ts';
import { createApi, createTenant, type Reply } from '../support/platform.ts';

// Every field of a request that writes a record is written with a new value and read back. A field of the contract that
// a mapper or a store forgets fails here.

/** Operations with a body that write no record. */
const WITHOUT_RECORD: Readonly<Record<string, string>> = {
  createLinkTokens: 'tokens are shown once',
  deletePlannedResponses: 'deletes records',
  importResponses: 'takes a file, which import-round-trips.e2e.test.ts covers',
  importSurvey: 'takes a file, which import-round-trips.e2e.test.ts covers',
  planResponseDeletion: 'a plan is shown once',
  rotateWebhookSecret: 'secrets are shown once',
};

const ONE_VALUE = 'has only the value that it has by default';
const OPTION = 'an option of the operation';
const SECRET = 'a secret, which is hidden';

/** Fields that cannot be read back, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'createLink.password': SECRET,
  'createLink.token_count': OPTION,
  'createResponse.status': ONE_VALUE,
  'createResponse.strict': OPTION,
  'createResponse.survey_version': ONE_VALUE,
  'createSurvey.schema_version': ONE_VALUE,
  'createWebhook.headers': SECRET,
  'createWebhook.secret': SECRET,
  'replaceSurvey.schema_version': ONE_VALUE,
  'replaceSurvey.version': OPTION,
  'submitLinkResponse.strict': OPTION,
  'submitLinkResponse.survey_version': ONE_VALUE,
  'submitPublicResponse.strict': OPTION,
  'submitPublicResponse.survey_version': ONE_VALUE,
  'updateLink.password': SECRET,
  'updatePublicResponse.strict': OPTION,
  'updateWebhook.headers': SECRET,
};

/** Fields that replies have under another name. */
const READ_AS: Readonly<Record<string, string>> = { survey: 'definition' };

let walk: ApiWalk;

beforeAll(async () => {
  walk = createApiWalk((await createTenant()).api);
  await walk.makeRecords();
});

/** Values that must fit other records, by the names of fields, after that of their operation where that matters. */
const VALUES: Readonly<Record<string, (before: unknown) => unknown>> = {
  'createLink.metadata': () => ({ campaign: newText({}) }),
  data: () => ({ satisfaction: 'unhappy' }),
  event_types: () => ['response.submitted'],
  headers: () => ({ 'X-Written': 'written' }),
  language: () => 'en',
  languages: () => ['en'],
  metadata_fields: () => {
    writes += 1;
    return [{ name: 'campaign', type: 'string', max_length: 100 + writes, from: ['link'] }];
  },
  permissions: () => ['links:write'],
  project_id: async () => (await walk.call('createProject')).body.id,
  'replaceSurvey.version': (before) => before,
  schema_version: () => '1.0',
  secret: () => randomUUID(),
  since: () => '2025-01-01T00:00:00.000Z',
  slug: () => `written-${randomUUID()}`,
  started_at: () => '2025-10-02T11:43:00.000Z',
  survey: () => ({ ...Object(Object(exampleOf('createSurvey')).survey), title: 'Written' }),
  survey_ids: () => [walk.records['survey_id']],
  survey_version: () => 1,
  'updateLink.metadata': () => ({ campaign: newText({}) }),
  until: () => '2025-02-01T00:00:00.000Z',
  url: () => `http://127.0.0.1:9/${randomUUID()}`,
};

let writes = 0;

async function newValue(path: string, schema: MemberSchema, before: unknown): Promise<unknown> {
  const own = VALUES[path] ?? VALUES[path.split('.').at(-1) ?? ''];
  if (own !== undefined) return own(before);
  const members = membersOf(schema);
  if (Object.keys(members).length > 0) return newValues(path, members, before);
  writes += 1;
  if (schema.enum !== undefined) return schema.enum.find((value) => value !== before) ?? before;
  switch (schema.type) {
    case 'boolean':
      return before !== true;
    case 'integer':
    case 'number':
      return Number(before ?? schema.minimum ?? 0) + 1;
    case 'array':
      return [await newValue(`${path}.0`, schema.items ?? {}, undefined)];
    case 'object':
      return { written: writes };
    default:
      return newText(schema);
  }
}

function newText({ format }: MemberSchema): string {
  if (format === 'date-time') return new Date(Date.UTC(2037, 0, writes)).toISOString();
  if (format === 'email') return `${randomUUID()}@example.org`;
  return format === 'uuid' ? randomUUID() : `written-${writes}`;
}

async function newValues(path: string, members: Readonly<Record<string, MemberSchema>>, before: unknown) {
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(members))
    values[name] = await newValue(`${path}.${name}`, schema, memberOf(before, name));
  return values;
}

function memberOf(record: unknown, name: string): unknown {
  return isObject(record) ? record[READ_AS[name] ?? name] : undefined;
}

/** Whether a record has a value; of an object, whether it has its members. */
function isThere(value: unknown, given: unknown): boolean {
  if (isObject(given) && isObject(value))
    return Object.entries(given).every(([name, member]) => isThere(value[name], member));
  return isDeepStrictEqual(value, given);
}

/** Public operations first, and changes last: a survey that is changed takes no responses. */
const ORDER = ['POST', 'PUT', 'PATCH'];
const rankOf = (operation: WalkedOperation) => (isPublic(operation) ? -1 : ORDER.indexOf(operation.verb));
const writing = operations
  .filter(
    ({ operationId, verb, 'x-safe': isSafe = false }) =>
      !isSafe &&
      ORDER.includes(verb) &&
      Object.keys(bodyMembersOf(operationId)).length > 0 &&
      !Object.hasOwn(WITHOUT_RECORD, operationId),
  )
  .toSorted((one, other) => rankOf(one) - rankOf(other));

function findGet(path: string): WalkedOperation | undefined {
  const segments = path.split('/');
  return operations.find(
    (operation) =>
      operation.verb === 'GET' &&
      operation.path.split('/').length === segments.length &&
      operation.path.split('/').every((segment, at) => segment.startsWith('{') || segment === segments[at]),
  );
}

/** The record before the operation; of one that makes records, another one. */
async function readBefore(operation: WalkedOperation): Promise<unknown> {
  const { operationId, path, verb } = operation;
  // This one has nothing but answers.
  if (path.endsWith('/responses')) return readOne('getResponse');
  return read(operation, verb === 'POST' ? await walk.call(operationId) : undefined);
}

/** The record that an operation made, or that its path names. */
async function read(operation: WalkedOperation, reply?: Reply): Promise<unknown> {
  const { path, verb } = operation;
  // Respondents see less of a response than users do.
  if (isPublic(operation)) return readOne('getResponse', reply?.body.id ?? walk.records['begun_id']);
  if (verb !== 'POST' || reply === undefined) return readOne(findGet(path)?.operationId ?? '');
  const get = findGet(reply.headers.get('location') ?? '');
  if (get !== undefined) return readOne(get.operationId, reply.body.id);
  const list = await readOne(findGet(path)?.operationId ?? '');
  return list.find(({ id }: { readonly id: string }) => id === reply.body.id);
}

async function readOne(operationId: string, id?: string): Promise<Reply['body']> {
  const field = operations.find((operation) => operation.operationId === operationId)?.fields[0] ?? '';
  return (await walk.call(operationId, id === undefined ? {} : { path: { [field]: id } })).body;
}

describe('fields that are written are read back', () => {
  it.each(writing)('after $operationId', async (operation) => {
    const { operationId } = operation;
    const by: Call = isPublic(operation) ? { api: createApi() } : {};
    const before = await readBefore(operation);
    await walk.endReplays();
    const body = await newValues(operationId, bodyMembersOf(operationId), before);
    const reply = await walk.call(operationId, { ...by, body });
    expect([Math.floor(reply.status / 100), reply.body]).toEqual([2, reply.body]);
    const after = await read(operation, reply);
    const lost = Object.entries(body)
      .filter(([name, value]) => isThere(memberOf(before, name), value) || !isThere(memberOf(after, name), value))
      .map(([name]) => `${operationId}.${name}`);
    const excepted = Object.keys(EXCEPTIONS).filter((name) => name.startsWith(`${operationId}.`));
    expect(lost.toSorted()).toEqual(excepted);
  });

  it('names exceptions of the contract only', () => {
    const fields = writing.flatMap(({ operationId }) =>
      Object.keys(bodyMembersOf(operationId)).map((name) => `${operationId}.${name}`),
    );
    expect(Object.keys(EXCEPTIONS).filter((name) => !fields.includes(name))).toEqual([]);
    const ids = operations.map(({ operationId }) => operationId);
    expect(Object.keys(WITHOUT_RECORD).filter((name) => !ids.includes(name))).toEqual([]);
  });
});
