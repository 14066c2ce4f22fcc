import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { DataKeyDocument } from '@survey/runtime/crypto/data-key';
import { createEnvelope } from '@survey/runtime/crypto/envelope';
import { createLease, type LeaseDocument } from '@survey/runtime/mongo/lease';
import { fixedSecret } from '@survey/runtime/testing/fixed-secret';
import { poll } from '@survey/runtime/testing/poll';
import { createTestKeyring } from '@survey/runtime/testing/test-keyring';
import { testLog } from '@survey/runtime/testing/test-log';
import { Binary } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromDocument } from '../responses/response-document-store.ts';
import { createResponseSealer } from '../responses/response-sealer.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';
import { createTestWindows } from '../testing/test-stores.ts';
import { createExternalIdModule } from './module.ts';

const keyring = createTestKeyring();
let app: TestApp;

beforeAll(async () => {
  app = await startResponseApp({ encryptionKeyring: fixedSecret(keyring) });
  // The first call connects to the survey service, which can take long.
  await poll(async () => (await create(app.survey.add(), undefined)).status === 201);
});
afterAll(() => app.close());

interface Survey {
  readonly surveyId: string;
  readonly tenantId: string;
}

const permissions = ['responses:read', 'responses:write', 'responses:export', 'responses:delete'];
const get = ({ tenantId }: Survey, path: string) => app.call('GET', path, { tenantId, permissions });

function create({ surveyId, tenantId }: Survey, externalId: string | undefined, headers = {}) {
  const body = { data: { ate: 'no' }, ...(externalId !== undefined && { external_id: externalId }) };
  return app.call('POST', `/v1/surveys/${surveyId}/responses`, { tenantId, body, headers });
}

/** Creates a response, and stores its external id like the previous release: in plain text. */
async function createOld(survey: Survey, externalId: string): Promise<string> {
  const { id } = (await create(survey, undefined)).body;
  await app.responses.updateOne({ _id: id }, { $set: { external_id: externalId } });
  return id;
}

async function idsWith(survey: Survey, externalId: string): Promise<readonly string[]> {
  const query = `external_id=${encodeURIComponent(externalId)}&order=asc`;
  const { body } = await get(survey, `/v1/surveys/${survey.surveyId}/responses?${query}`);
  return body.map(({ id }: { id: string }) => id);
}

/** Returns the names of the collections that contain the text. */
async function collectionsWith(text: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const collection of await app.db.collections())
    for await (const document of collection.find<Uint8Array>({}, { raw: true }))
      if (Buffer.from(document).includes(text)) found.add(collection.collectionName);
  return [...found];
}

/** A process with its own cache of data keys. */
function startProcess() {
  const collection = app.db.collection<DataKeyDocument>('data_keys');
  const envelope = createEnvelope({ collection, keyring: async () => keyring, clock: () => new Date() });
  return { envelope, sealer: createResponseSealer(envelope) };
}

/** Seals the stored external ids in the background, until `isDone`. */
async function sealAll(isDone: () => Promise<boolean>): Promise<void> {
  // The app has the lease with this name among its own.
  const leases = app.db.collection<LeaseDocument>('other_leases');
  const { stoppedFirst = [] } = createExternalIdModule(
    {
      collection: (name) => app.db.collection(name),
      lease: (name) => createLease({ collection: leases, name, owner: randomUUID(), ttlMs: 10_000 }),
      log: testLog,
      now: () => performance.now(),
    },
    { sealer: startProcess().sealer, windows: createTestWindows(app.db), afterMs: 0 },
  );
  for (const worker of stoppedFirst) worker.start?.();
  try {
    await poll(isDone);
  } finally {
    for (const worker of stoppedFirst) await worker.stop();
  }
}

const plaintextOf = ({ surveyId }: Survey) =>
  app.responses.countDocuments({ survey_id: surveyId, external_id: { $gte: '' } });

describe('an external id', () => {
  it('is set when a response is created, shown, and stored encrypted, also after a correction', async () => {
    const survey = app.survey.add();
    const marker = `order-${randomUUID()}`;
    const created = await create(survey, marker);
    expect(created).toMatchObject({ status: 201, body: { external_id: marker } });
    const path = `/v1/responses/${created.body.id}`;
    const body = { data: { comment: 'late' } };
    const corrected = await app.call('PATCH', path, { tenantId: survey.tenantId, body });
    expect(corrected.body).toMatchObject({ external_id: marker, data: { comment: 'late' } });
    expect((await get(survey, path)).body).toEqual(corrected.body);
    const { body: csv } = await get(survey, `/v1/surveys/${survey.surveyId}/responses/export?format=csv`);
    expect(csv).toContain(marker);
    const { body: feed } = await get(survey, `/v1/surveys/${survey.surveyId}/responses/changes`);
    expect(feed.changes.at(-1)).toMatchObject({ response: { external_id: marker } });
    expect(await collectionsWith(marker)).toEqual([]);
    expect(await app.responses.findOne({ _id: created.body.id })).toMatchObject({
      sealed_external_id: { record: { kv: 1 }, tag: expect.stringMatching(/^[\w-]{43}$/) },
    });
  });

  it.each([
    ['', '/external_id'],
    ['x'.repeat(257), '/external_id'],
  ])('is rejected if it is "%.3s…"', async (externalId, path) => {
    const rejected = await create(app.survey.add(), externalId);
    expect(rejected).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED', errors: [{ path }] } });
  });

  it('can have 256 characters of any kind', async () => {
    const survey = app.survey.add();
    const longest = `${'😀'.repeat(255)}"`;
    const { body } = await create(survey, longest);
    expect(body.external_id).toBe(longest);
    expect(await idsWith(survey, longest)).toEqual([body.id]);
  });

  it('cannot be set by respondents', async () => {
    const { surveyId } = app.survey.add();
    const rejected = await app.submit(surveyId, { data: { ate: 'no' }, external_id: 'x' });
    expect(rejected).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/external_id', code: 'UNKNOWN_FIELD' }] },
    });
  });

  it('belongs to the request that an idempotency key identifies', async () => {
    const survey = app.survey.add();
    const key = { 'idempotency-key': randomUUID() };
    const first = await create(survey, 'one', key);
    expect((await create(survey, 'one', key)).body).toEqual(first.body);
    for (const other of ['two', undefined])
      expect(await create(survey, other, key)).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });
});

describe('the filter by external id', () => {
  it('finds exactly the responses of the survey that have it, in both forms', async () => {
    const survey = app.survey.add();
    const other = app.survey.add({ tenantId: survey.tenantId });
    const first = (await create(survey, 'A-1')).body.id;
    for (const similar of ['a-1', 'A-10', 'A-1 ', 'A']) await create(survey, similar);
    await create(survey, undefined);
    await create(other, 'A-1');
    await createOld(other, 'A-1');
    const old = await createOld(survey, 'A-1');
    expect(await idsWith(survey, 'A-1')).toEqual([first, old]);
    expect(await idsWith(survey, 'A-2')).toEqual([]);
  });

  it('applies to counts, samples, exports, summaries, answers and planned deletions, with other filters', async () => {
    const survey = app.survey.add();
    const ids = [(await create(survey, 'A-1')).body.id, await createOld(survey, 'A-1')];
    for (let others = 0; others < 5; others += 1) await create(survey, 'B-1');
    const path = `/v1/surveys/${survey.surveyId}`;
    const filter = 'external_id=A-1';
    const bodyOf = async (operation: string) => (await get(survey, `${path}/${operation}`)).body;
    const idsOf = (body: readonly { id?: string; response_id?: string }[]) =>
      body.map(({ id, response_id }) => id ?? response_id).toSorted();
    expect(await bodyOf(`responses/count?${filter}`)).toEqual({ count: 2 });
    expect(await bodyOf(`responses/count?${filter}&status=abandoned`)).toEqual({ count: 0 });
    expect(await bodyOf(`responses/count?${filter}&since=2024-01-01T00:00:00Z`)).toEqual({ count: 2 });
    expect(idsOf(await bodyOf(`responses?${filter}&random=true`))).toEqual(ids.toSorted());
    expect(idsOf(await bodyOf(`responses/export?${filter}&format=json`))).toEqual(ids.toSorted());
    expect(await bodyOf(`summary?${filter}`)).toMatchObject({ responses: 2 });
    expect(idsOf(await bodyOf(`questions/ate/answers?${filter}`))).toEqual(ids.toSorted());
    const where = encodeURIComponent('{"conditions":[{"source":"external_id","operator":"equals","value":"A-1"}]}');
    expect(idsOf(await bodyOf(`responses?where=${where}`))).toEqual(ids.toSorted());
    expect(idsOf(await bodyOf(`responses?external_id=B-1&where=${where}`))).toEqual([]);
    const body = { external_id: 'A-1', dry_run: true };
    const planned = await app.call('POST', `${path}/responses/deletions`, { ...survey, permissions, body });
    expect(planned.body).toMatchObject({ count: 2 });
    expect(planned.body.sample_ids.toSorted()).toEqual(ids.toSorted());
  });

  it('has pages, whose cursors work for this external id only', async () => {
    const survey = app.survey.add();
    const ids = [];
    for (let made = 0; made < 5; made += 1)
      ids.unshift(made % 2 === 0 ? (await create(survey, 'A-1')).body.id : await createOld(survey, 'A-1'));
    const path = `/v1/surveys/${survey.surveyId}/responses/query`;
    const query = (given: object) =>
      app.call('POST', path, { ...survey, body: { external_id: 'A-1', limit: 2, ...given } });
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await query({ cursor });
      seen.push(...body.responses.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
      if (cursor !== '')
        expect(await query({ cursor, external_id: 'B-1' })).toMatchObject({ body: { code: 'INVALID_CURSOR' } });
    } while (cursor !== '');
    expect(seen).toEqual(ids);
  });
});

describe('external ids of the previous release', () => {
  it('are sealed in the background, found and shown as before, and left in no collection', async () => {
    const surveys = [app.survey.add(), app.survey.add()];
    const marker = `row-${randomUUID()}`;
    const ids = await Promise.all(surveys.map((survey) => createOld(survey, marker)));
    const read = () =>
      Promise.all(
        surveys.map(async (survey, index) => [
          await idsWith(survey, marker),
          (await get(survey, `/v1/responses/${ids[index]}`)).body,
          (await get(survey, `/v1/surveys/${survey.surveyId}/responses/changes`)).body.changes,
        ]),
      );
    const before = await read();
    expect(before).toMatchObject(ids.map((id) => [[id], { id, external_id: marker }, [{ id }]]));
    expect(await collectionsWith(marker)).toEqual(['responses']);
    await sealAll(async () => (await Promise.all(surveys.map(plaintextOf))).every((count) => count === 0));
    expect(await read()).toEqual(before);
    expect(await collectionsWith(marker)).toEqual([]);
  });

  it('are sealed in batches, except those of a tenant whose data keys cannot be read', async () => {
    const [survey, broken] = [app.survey.add(), app.survey.add()];
    await create(survey, undefined);
    await createOld(broken, 'lost');
    const [{ _id, ...document } = {}] = await app.responses.find({ survey_id: survey.surveyId }).toArray();
    await app.responses.insertMany(
      Array.from({ length: 1_100 }, (_, index) => ({
        ...document,
        _id: randomUUID(),
        external_id: `R_${index}`,
      })) as never,
    );
    const ofBroken = { tenant_id: toTenantId(broken.tenantId) };
    const dataKeys = app.db.collection<DataKeyDocument>('data_keys');
    await dataKeys.updateOne(ofBroken, { $set: { 'wrapped.ct': new Binary(Buffer.alloc(32)) } });
    await sealAll(async () => (await plaintextOf(survey)) === 0);
    expect(await plaintextOf(broken)).toBe(1);
    await app.responses.deleteMany(ofBroken);
  });

  it('are not sealed in the first hour of a process', async () => {
    const survey = app.survey.add();
    await createOld(survey, 'R_1');
    await sealAll(async () => (await plaintextOf(survey)) === 0);
    await app.restart();
    const old = await createOld(survey, 'R_2');
    expect(await idsWith(survey, 'R_2')).toEqual([old]);
    expect(await plaintextOf(survey)).toBe(1);
  });
});

describe('after a rotation of the data keys', () => {
  it('external ids are found and read by all processes, whatever their key', async () => {
    const survey = app.survey.add();
    const tenantId = toTenantId(survey.tenantId);
    const ids = [(await create(survey, 'A-1')).body.id, await createOld(survey, 'A-1')];
    const [mine, other] = [startProcess(), startProcess()];
    await other.envelope.cipherOf(tenantId);
    await mine.envelope.rotate(tenantId);
    // Sealed with the second key, unlike the answers of the response.
    await sealAll(async () => (await plaintextOf(survey)) === 0);
    const stored = await app.responses.find({ survey_id: survey.surveyId }).sort({ created_at: 1 }).toArray();
    expect(stored.map(({ data, sealed_external_id: sealed }) => [data.kv, sealed?.record.kv])).toEqual([
      [1, 1],
      [1, 2],
    ]);
    expect(new Set(stored.map(({ sealed_external_id: sealed }) => sealed?.tag)).size).toBe(1);
    const opened = await other.sealer.openAll(tenantId, stored.map(fromDocument));
    expect(opened.map(({ externalId }) => externalId)).toEqual(['A-1', 'A-1']);
    expect(await idsWith(survey, 'A-1')).toEqual(ids);
  });
});
