import { randomUUID } from 'node:crypto';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { CreateLinkRequestSchema, LinkService } from '@survey/proto/survey/surveys/v1/link_service_pb';
import { CreateSurveyRequestSchema, SurveyService } from '@survey/proto/survey/surveys/v1/survey_service_pb';
import { BSON, type Collection } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toTenantId } from '../auth/tenant-id.ts';
import { type DataKeyDocument, dataKeyIndexes } from '../crypto/data-key.ts';
import { createEnvelope } from '../crypto/envelope.ts';
import { AppError } from '../errors/app-error.ts';
import { ensureIndexes } from '../mongo/ensure-indexes.ts';
import { setEtag } from '../rpc/if-match.ts';
import { createTestContext } from '../testing/rpc/test-context.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createTestKeyring } from '../testing/test-keyring.ts';
import { createIdempotency } from './idempotency.ts';
import { createIdempotencyStore, type IdempotencyDocument, idempotencyIndexes } from './idempotency-store.ts';

const { createLink, createLinkTokens } = LinkService.method;
const { createSurvey } = SurveyService.method;
/** The current time, because MongoDB would delete expired documents during the test. */
const NOW = new Date();
const keyring = createTestKeyring();

let database: TestDatabase;
let collection: Collection<IdempotencyDocument>;
let tenantId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { idempotency_keys: idempotencyIndexes, data_keys: dataKeyIndexes });
  collection = database.db.collection('idempotency_keys');
});
beforeEach(() => {
  tenantId = randomUUID();
});
afterAll(() => database.drop());

function createProcess() {
  const dataKeys = database.db.collection<DataKeyDocument>('data_keys');
  const envelope = createEnvelope({ collection: dataKeys, keyring: async () => keyring, clock: () => NOW });
  const idempotency = createIdempotency({
    store: createIdempotencyStore(collection),
    envelope,
    clock: () => NOW,
    newId: randomUUID,
  });
  return { envelope, idempotency };
}

interface Call {
  readonly key?: string;
  readonly tenantId?: string;
  readonly user?: string;
  readonly permissions?: readonly string[];
  readonly request?: MessageInitShape<typeof CreateLinkRequestSchema>;
}

/** A service that creates links, with a list of what it created. */
function createLinks({ idempotency } = createProcess()) {
  const made: string[] = [];
  const make = async (id: string) => {
    made.push(id);
    return { link: { id, tokens: [`token-${made.length}`] } };
  };
  async function call({ key, request = { surveyId: 's1' }, ...caller }: Call, makeLink = make) {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    const context = createTestContext(createLink, { tenantId, headers, ...caller });
    const { link } = await idempotency.run(createLink, create(CreateLinkRequestSchema, request), context, makeLink);
    return { id: link?.id, tokens: link?.tokens, replayed: context.responseHeader.get('idempotency-replayed') };
  }
  return { call, made };
}

const stored = () => collection.find({ tenant_id: toTenantId(tenantId) }).toArray();
const rejectedAs = (code: string) => expect.objectContaining({ code });

describe('a call without a key', () => {
  it('creates a record each time, and stores nothing', async () => {
    const { call, made } = createLinks();
    const [first, second] = [await call({}), await call({})];
    expect(made).toEqual([first.id, second.id]);
    expect(new Set(made).size).toBe(2);
    expect(await stored()).toEqual([]);
  });
});

describe('a call with a key', () => {
  it('returns the first reply again, with one-time secrets, marked as a replay', async () => {
    const { call, made } = createLinks();
    const first = await call({ key: 'k' });
    expect(first).toEqual({ id: made[0], tokens: ['token-1'], replayed: null });
    expect(await call({ key: 'k' })).toEqual({ ...first, replayed: 'true' });
    expect(await createLinks().call({ key: 'k' })).toEqual({ ...first, replayed: 'true' });
    expect(made).toHaveLength(1);
  });

  it('is rejected if the key was used for another request', async () => {
    const { call, made } = createLinks();
    await call({ key: 'k' });
    for (const request of [
      { surveyId: 's1', slug: 'other' },
      { surveyId: 's1', active: false },
      { surveyId: 's1', tokenCount: 1 },
    ]) {
      await expect(call({ key: 'k', request })).rejects.toEqual(rejectedAs('IDEMPOTENCY_KEY_REUSED'));
    }
    expect(made).toHaveLength(1);
  });

  it('is rejected if the key was used by another user', async () => {
    const { call } = createLinks();
    await call({ key: 'k', user: 'owner' });
    await expect(call({ key: 'k', user: 'editor' })).rejects.toEqual(rejectedAs('IDEMPOTENCY_KEY_REUSED'));
  });

  it('is rejected when an API key of the same user with other permissions sent the key before', async () => {
    const { call } = createLinks();
    const first = await call({ key: 'k', permissions: ['links:read', 'links:write'] });
    for (const permissions of [['links:write'], [], ['links:read', 'links:write', 'surveys:read']]) {
      await expect(call({ key: 'k', permissions })).rejects.toEqual(rejectedAs('IDEMPOTENCY_KEY_REUSED'));
    }
    const again = await call({ key: 'k', permissions: ['links:write', 'links:read'] });
    expect(again).toEqual({ ...first, replayed: 'true' });
  });

  it('is a new call with another path, key or tenant', async () => {
    const { call, made } = createLinks();
    await call({ key: 'k' });
    await call({ key: 'k', request: { surveyId: 's2' } });
    await call({ key: 'K' });
    await call({ key: 'k', tenantId: randomUUID() });
    expect(new Set(made).size).toBe(4);
  });

  it('is a new call for another operation', async () => {
    const { idempotency } = createProcess();
    const { call } = createLinks();
    await call({ key: 'k' });
    const context = createTestContext(createLinkTokens, { tenantId, headers: { 'idempotency-key': 'k' } });
    const request = create(createLinkTokens.input, { linkId: 's1' });
    const { tokens } = await idempotency.run(createLinkTokens, request, context, async () => ({ tokens: ['t'] }));
    expect(tokens).toEqual(['t']);
    expect(context.responseHeader.get('idempotency-replayed')).toBeNull();
  });

  it('recognizes a request with its members in another order', async () => {
    const { idempotency } = createProcess();
    const replyTo = async (survey: Record<string, string>) => {
      const context = createTestContext(createSurvey, { tenantId, headers: { 'idempotency-key': 'k' } });
      const request = create(CreateSurveyRequestSchema, { schemaVersion: '1.0', version: 1, survey });
      return (await idempotency.run(createSurvey, request, context, async (id) => ({ survey: { id } }))).survey?.id;
    };
    expect(await replyTo({ title: 'T', description: 'D' })).toBe(await replyTo({ description: 'D', title: 'T' }));
    await expect(replyTo({ title: 'T' })).rejects.toEqual(rejectedAs('IDEMPOTENCY_KEY_REUSED'));
  });

  it.each(['', 'a b', 'x'.repeat(256)])('is rejected before anything is created if the key is %j', async (key) => {
    const { call, made } = createLinks();
    await expect(call({ key })).rejects.toEqual(rejectedAs('INVALID_REQUEST'));
    expect(made).toEqual([]);
  });

  it('creates one record and returns one reply for concurrent calls in several processes', async () => {
    const all = Array.from({ length: 5 }, () => createLinks());
    const replies = await Promise.all(all.flatMap(({ call }) => Array.from({ length: 8 }, () => call({ key: 'k' }))));
    expect(new Set(all.flatMap(({ made }) => made)).size).toBe(1);
    expect(new Set(replies.map(({ id }) => id)).size).toBe(1);
    expect(new Set(replies.map(({ tokens }) => tokens?.join())).size).toBe(1);
    // Only the call whose reply was stored is no replay.
    expect(replies.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
  });
});

describe('the ETag of the reply to a call with a key', () => {
  /**
   * The slug and ETag of the reply to a call that finds the link at this revision. `meanwhile` runs during the call.
   */
  async function replyAt(revision: number, meanwhile = async (): Promise<unknown> => undefined) {
    const { idempotency } = createProcess();
    const context = createTestContext(createLink, { tenantId, headers: { 'idempotency-key': 'k' } });
    const request = create(CreateLinkRequestSchema, { surveyId: 's1' });
    const { link } = await idempotency.run(createLink, request, context, async (id) => {
      await meanwhile();
      setEtag(context, revision);
      return { link: { id, slug: `slug-${revision}` } };
    });
    return [link?.slug, context.responseHeader.get('etag')];
  }

  it('is the one of the replayed reply', async () => {
    expect(await replyAt(1)).toEqual(['slug-1', '"1"']);
    expect(await replyAt(3)).toEqual(['slug-1', '"1"']);
  });

  it('is the current one of the record if no reply was stored', async () => {
    await expect(replyAt(1, () => Promise.reject(new AppError('UNAVAILABLE')))).rejects.toThrow();
    for (const _ of [1, 2]) expect(await replyAt(3)).toEqual(['slug-3', '"3"']);
  });

  it('belongs to the reply that was stored first', async () => {
    expect(await replyAt(3, () => replyAt(1))).toEqual(['slug-1', '"1"']);
  });
});

describe('a call with a key that failed', () => {
  it('creates the record under the same id when it is repeated', async () => {
    const { call, made } = createLinks();
    const ids: string[] = [];
    const crash = (id: string) => {
      ids.push(id);
      return Promise.reject(new AppError('UNAVAILABLE'));
    };
    await expect(call({ key: 'k' }, crash)).rejects.toEqual(rejectedAs('UNAVAILABLE'));
    expect(await call({ key: 'k' })).toMatchObject({ id: ids[0], replayed: null });
    expect(made).toEqual(ids);
  });

  it('fails with the same error again, and succeeds after the cause is fixed', async () => {
    const { call } = createLinks();
    const reject = () => Promise.reject(new AppError('SURVEY_NOT_FOUND'));
    for (const _ of [1, 2]) await expect(call({ key: 'k' }, reject)).rejects.toEqual(rejectedAs('SURVEY_NOT_FOUND'));
    expect((await call({ key: 'k' })).tokens).toEqual(['token-1']);
  });

  it('returns the reply of a concurrent call that was first', async () => {
    const { call } = createLinks();
    const other = createLinks();
    let first: Awaited<ReturnType<typeof call>> | undefined;
    const slow = async (id: string) => {
      first = await other.call({ key: 'k' });
      return { link: { id, tokens: ['late'] } };
    };
    expect(await call({ key: 'k' }, slow)).toEqual({ ...first, replayed: 'true' });
  });
});

describe('the time of the first call', () => {
  async function begunAtOf(key?: string) {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    const context = createTestContext(createLink, { tenantId, headers });
    let found: Date | undefined;
    const fail = (_id: string, begunAt: Date | undefined) => {
      found = begunAt;
      return Promise.reject(new AppError('UNAVAILABLE'));
    };
    const request = create(CreateLinkRequestSchema, { surveyId: 's1' });
    await expect(createProcess().idempotency.run(createLink, request, context, fail)).rejects.toThrow();
    return found;
  }

  it('is the same for all calls with the key, by the clock of the database', async () => {
    const { localTime: before } = await database.db.command({ hello: 1 });
    const begunAt = await begunAtOf('k');
    const { localTime: after } = await database.db.command({ hello: 1 });
    expect(begunAt?.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(begunAt?.getTime()).toBeLessThanOrEqual(after.getTime());
    expect(await begunAtOf('k')).toEqual(begunAt);
  });

  it('is unknown without a key, and for calls that an earlier release stored', async () => {
    expect(await begunAtOf()).toBeUndefined();
    await begunAtOf('k');
    await collection.updateOne({ tenant_id: toTenantId(tenantId) }, { $unset: { begun_at: true } });
    expect(await begunAtOf('k')).toBeUndefined();
  });
});

describe('the stored use of a key', () => {
  it('reveals neither the key nor the request nor the reply', async () => {
    const { call } = createLinks();
    await call({ key: 'order-4711', request: { surveyId: 's1', password: 'open sesame' } });
    const [document] = await stored();
    const bytes = Buffer.from(BSON.serialize(document ?? {})).toString('latin1');
    for (const secret of ['4711', 'sesame', 'token-1']) expect(bytes).not.toContain(secret);
  });

  it('expires after 25 hours, by an index', async () => {
    const { call } = createLinks();
    await call({ key: 'k' });
    expect((await stored())[0]?.expires_at).toEqual(new Date(NOW.getTime() + 25 * 60 * 60_000));
    expect(await collection.indexes()).toContainEqual(
      expect.objectContaining({ key: { expires_at: 1 }, expireAfterSeconds: 0 }),
    );
  });

  it('is found after rotations of the data key, even by a process with older keys cached', async () => {
    const [old, other] = [createProcess(), createProcess()];
    const first = await createLinks(old).call({ key: 'k' });
    await createLinks(other).call({ key: 'k' });
    await other.envelope.rotate(toTenantId(tenantId));
    expect(await createLinks(other).call({ key: 'k' })).toEqual({ ...first, replayed: 'true' });
    const newer = await createLinks(other).call({ key: 'k2' });
    expect(await createLinks(old).call({ key: 'k2' })).toEqual({ ...newer, replayed: 'true' });
  });

  it('is not found after the data keys of the tenant are destroyed', async () => {
    const process = createProcess();
    const first = await createLinks(process).call({ key: 'k' });
    await process.envelope.erase(toTenantId(tenantId));
    expect((await createLinks(process).call({ key: 'k' })).id).not.toBe(first.id);
  });
});
