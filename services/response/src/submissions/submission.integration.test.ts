import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { topics } from '@survey/proto/catalog';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { createTestKafka } from '@survey/runtime/testing/kafka/test-kafka';
import { poll } from '@survey/runtime/testing/poll';
import { readAuditEvents } from '@survey/runtime/testing/read-audit-events';
import { BSON } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newVoid } from '../responses/response-document-store.ts';
import type { TestSurvey } from '../testing/fake-survey-service.ts';
import { type Reply, startResponseApp, type TestApp } from '../testing/response-app.ts';
import { testDefinition } from '../testing/test-definition.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const data = { ate: 'yes', taste: 4 };

/** Each survey gets this key once. */
const key = randomUUID();

function withKey(key: string): Record<string, string> {
  return { 'idempotency-key': key };
}

async function countOf(surveyId: string): Promise<number> {
  return app.responses.countDocuments({ survey_id: surveyId });
}

describe('an idempotency key', () => {
  it('stores one response for fifty concurrent requests, which get the same reply', async () => {
    const { surveyId } = app.survey.add();
    const calls = Array.from({ length: 50 }, () => app.submit(surveyId, { data }, withKey(key)));
    const replies = await Promise.all(calls);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const replays = replies.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    expect(replays).toHaveLength(49);
    expect(await countOf(surveyId)).toBe(1);
    expect(await app.metrics()).toMatch(new RegExp(`survey_responses_total{[^}]*survey_id="${surveyId}"[^}]*} 1\n`));
  });

  it('accepts one of fifty different concurrent requests', async () => {
    const { surveyId } = app.survey.add();
    const calls = Array.from({ length: 50 }, (_, n) =>
      app.submit(surveyId, { data: { ...data, comment: `${n}` } }, withKey(key)),
    );
    const replies = await Promise.all(calls);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.code === 'IDEMPOTENCY_KEY_REUSED')).toHaveLength(49);
    expect(await countOf(surveyId)).toBe(1);
  });

  it('compares the content of requests, not their spelling', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const path = `/v1/surveys/${surveyId}/responses`;
    const send = (body: unknown): Promise<Reply> => app.call('POST', path, { tenantId, body, headers: withKey(key) });
    const first = await send({ data, started_at: '2024-05-01T10:00:00Z', metadata: { a: 1, b: 2 } });
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null]);
    const again = await send({
      metadata: { b: 2, a: 1 },
      started_at: '2024-05-01T12:00:00.000+02:00',
      data: { taste: 4, ate: 'yes' },
      status: 'completed',
      strict: false,
    });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.body).toEqual(first.body);
    for (const other of [
      { data, started_at: '2024-05-01T10:00:00Z' },
      { data: { ...data, taste: 5 }, started_at: '2024-05-01T10:00:00Z', metadata: { a: 1, b: 2 } },
      { data, started_at: '2024-05-01T10:00:00Z', metadata: { a: 1, b: 2 }, strict: true },
      { data: {}, metadata: {} },
    ])
      expect(await send(other)).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  it('is a different one on another route, survey or tenant', async () => {
    const surveys = [app.survey.add(), app.survey.add()];
    const ids = new Set<string>();
    for (const { surveyId, tenantId } of surveys) {
      ids.add((await app.submit(surveyId, { data }, withKey(key))).body.id);
      const path = `/v1/surveys/${surveyId}/responses`;
      ids.add((await app.call('POST', path, { tenantId, body: { data }, headers: withKey(key) })).body.id);
    }
    expect(ids.size).toBe(4);
  });

  it('returns the first reply after the survey was closed or changed', async () => {
    const { surveyId } = app.survey.add();
    const body = { data };
    const first = await app.submit(surveyId, body, withKey(key));
    app.survey.set(surveyId, { version: 2, definition: { ...testDefinition, pages: [] } });
    await poll(async () => (await app.submit(surveyId, body)).status === 422);
    expect((await app.submit(surveyId, body, withKey(key))).body).toEqual(first.body);
    app.survey.set(surveyId, { status: 'closed' });
    await poll(async () => (await app.submit(surveyId, { data })).status === 409);
    expect((await app.submit(surveyId, body, withKey(key))).body).toEqual(first.body);
    expect((await app.submit(surveyId, body, withKey(randomUUID()))).status).toBe(409);
  });

  it.each([
    ['another tenant', { tenant_id: toTenantId(randomUUID()) }],
    ['an import', { request_hash: null }],
  ])('is valid for one response even if a response of %s has its id', async (_case, change) => {
    const { surveyId } = app.survey.add();
    const { id } = (await app.submit(surveyId, { data }, withKey(key))).body;
    await app.responses.updateOne({ _id: id }, { $set: change });
    const first = await app.submit(surveyId, { data }, withKey(key));
    expect(first.status).toBe(201);
    expect(first.body.id).not.toBe(id);
    const again = await app.submit(surveyId, { data }, withKey(key));
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    const other = await app.submit(surveyId, { data: { ate: 'no' } }, withKey(key));
    expect(other.body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await countOf(surveyId)).toBe(2);
    app.survey.set(surveyId, { status: 'closed' });
    await poll(async () => (await app.submit(surveyId, { data })).status === 409);
    expect((await app.submit(surveyId, { data }, withKey(key))).body).toEqual(first.body);
  });

  it.each([
    ['without a limit', {}, 'void', 0],
    ['without a limit', {}, 'void', 2],
    ['with a limit', { responseLimit: 5 }, 'void', 1],
    ['without a limit', {}, 'blocked', 1],
    ['with a limit', { responseLimit: 5 }, 'blocked', 0],
  ])(
    'keeps its first id in a survey %s if fences prevented its responses',
    async (_case, settings, status, revision) => {
      const { surveyId } = app.survey.add({ settings });
      const { id } = (await app.submit(surveyId, { data }, withKey(key))).body;
      await app.responses.deleteOne({ _id: id });
      await app.responses.insertOne({ ...newVoid(id, new Date()), status, revision } as never);
      const stored = await app.submit(surveyId, { data }, withKey(key));
      expect([stored.status, stored.body.id, stored.headers.get('idempotency-replayed')]).toEqual([201, id, null]);
      const again = await app.submit(surveyId, { data }, withKey(key));
      expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([stored.body, 'true']);
      expect(await countOf(surveyId)).toBe(1);
    },
  );

  it('is not used up by a rejected request', async () => {
    const { surveyId } = app.survey.add();
    expect((await app.submit(surveyId, { data: {} }, withKey(key))).status).toBe(422);
    expect((await app.submit(surveyId, { data }, withKey(key))).status).toBe(201);
  });

  it('must be a random UUID without a token, because whoever knows it gets the first reply', async () => {
    const survey = app.survey.add();
    const { slug } = app.survey.addLink(survey);
    const body = { status: 'in_progress', data: {} };
    const paths = ['responses', 'files?question_id=cv'].flatMap((name) => [
      `/v1/public/surveys/${survey.surveyId}/${name}`,
      `/v1/public/links/${slug}/${name}`,
    ]);
    const keys = ['table-4', '1', 'x'.repeat(64), '00000000-0000-0000-0000-000000000000', `${randomUUID()}x`];
    // Version 1 contains time and address, version 5 is a hash of a name.
    keys.push('c232ab00-9414-11ec-b3c8-9f6bdeced846', '2ed6657d-e927-568b-95e1-2665a8aea6a2');
    for (const path of paths)
      for (const weak of keys)
        expect(await app.call('POST', path, { body, headers: withKey(weak) })).toMatchObject({
          status: 400,
          body: { code: 'IDEMPOTENCY_KEY_WEAK' },
        });
    expect(await countOf(survey.surveyId)).toBe(0);
  });

  it('of a call with a token can be any text, and is invalid for a caller with other permissions', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const send = (permissions: readonly string[]) =>
      app.call('POST', `/v1/surveys/${surveyId}/responses`, {
        tenantId,
        permissions,
        body: { data },
        headers: withKey('table-4'),
      });
    const first = await send(['responses:read', 'responses:write']);
    const again = await send(['responses:write', 'responses:read']);
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    const other = await send(['responses:write']);
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it.each(['a b', 'x'.repeat(256)])('is rejected if it is malformed: %j', async (key) => {
    const { surveyId } = app.survey.add();
    expect(await app.submit(surveyId, { data }, withKey(key))).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST' },
    });
    expect(await countOf(surveyId)).toBe(0);
  });
});

describe('a stored response', () => {
  it('has no replies or metadata in plain text', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const [comment, note] = [`answer-${randomUUID()}`, `note-${randomUUID()}`];
    const body = { data: { ...data, comment }, metadata: { note } };
    const { body: submitted } = await app.submit(surveyId, body, withKey(key));
    const raw = await app.responses.findOne({ _id: submitted.id }, { promoteBuffers: false });
    const bytes = Buffer.from(BSON.serialize(raw ?? {})).toString('latin1');
    for (const secret of [comment, note, 'taste']) expect(bytes).not.toContain(secret);
    expect(raw).toMatchObject({ tenant_id: tenantId, survey_id: surveyId, status: 'completed', survey_version: 1 });
  });

  it('cannot be decrypted as another response', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const [first, second] = [await app.submit(surveyId, { data }), await app.submit(surveyId, { data })];
    const stolen = await app.responses.findOne({ _id: first.body.id });
    await app.responses.updateOne({ _id: second.body.id }, { $set: stolen === null ? {} : { data: stolen.data } });
    expect((await app.call('GET', `/v1/responses/${second.body.id}`, { tenantId })).status).toBe(500);
    expect((await app.call('GET', `/v1/responses/${first.body.id}`, { tenantId })).body.data).toEqual(data);
  });

  it('publishes an event without replies', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const body = { data: { ...data, comment: 'between us' }, started_at: '2024-05-01T10:00:00Z' };
    const { body: submitted } = await app.submit(surveyId, body);
    const { kafka } = createTestKafka();
    const consumer = kafka.consumer({ groupId: randomUUID(), maxWaitTimeInMs: 100 });
    const found = Promise.withResolvers<Buffer>();
    try {
      await consumer.connect();
      await consumer.subscribe({ topic: topics.response, fromBeginning: true });
      await consumer.run({
        eachMessage: async ({ message }) => {
          if (message.key?.toString() === submitted.id) found.resolve(message.value ?? Buffer.alloc(0));
        },
      });
      const event = fromBinary(EventSchema, await found.promise);
      expect(event).toMatchObject({ type: 'response.submitted', tenantId });
      expect(event.data).toEqual({
        response_id: submitted.id,
        survey_id: surveyId,
        survey_version: 1,
        status: 'completed',
        started_at: '2024-05-01T10:00:00.000Z',
        completed_at: submitted.completed_at,
        occurred_at: submitted.completed_at,
        revision: 1,
      });
      await poll(async () => (await app.responses.findOne({ _id: submitted.id }))?.outbox.length === 0);
    } finally {
      await consumer.disconnect();
    }
  });
});

describe('a submission on behalf of a respondent', () => {
  it('is audited once for an idempotency key, with the actor and without replies', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const path = `/v1/surveys/${surveyId}/responses`;
    const body = { data: { ...data, comment: 'between us' } };
    const submit = (more: object = {}) => app.call('POST', path, { tenantId, body, ...more });
    const first = await submit({ headers: withKey(key) });
    await submit({ headers: withKey(key) });
    const second = await submit();
    const audited = await readAuditEvents(tenantId, 2);
    const expected = { action: 'response.created', actor: 'user-1', resource_type: 'response' };
    expect(audited).toHaveLength(2);
    for (const { id, created_at } of [first.body, second.body]) {
      expect(audited).toContainEqual({
        ...expected,
        resource_id: id,
        request_id: expect.any(String),
        occurred_at: created_at,
        revision: 1,
        changes: [
          { path: '/survey_id', after: surveyId },
          { path: '/survey_version', after: 1 },
          { path: '/status', after: 'completed' },
        ],
      });
    }
  });
});

describe('during an outage of the survey service', () => {
  it('responses are accepted, even after a restart, and a closed survey is noticed after it', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const unseen = app.survey.add();
    expect((await app.submit(surveyId, { data })).status).toBe(201);
    await app.survey.stop();
    expect((await app.submit(surveyId, { data })).status).toBe(201);
    await app.restart();
    expect((await app.call('GET', `/v1/public/surveys/${surveyId}`)).body.version).toBe(1);
    expect((await app.submit(surveyId, { data })).status).toBe(201);
    expect((await app.call('GET', `/v1/surveys/${surveyId}/responses/count`, { tenantId })).body).toEqual({ count: 3 });
    const unknown = await app.submit(unseen.surveyId, { data });
    expect(unknown).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(unknown.headers.get('retry-after')).toBe('1');

    app.survey.set(surveyId, { status: 'closed' });
    await app.survey.start();
    await poll(async () => (await app.submit(surveyId, { data })).status === 409);
    expect((await app.submit(unseen.surveyId, { data })).status).toBe(201);
  });
});

describe('a version that was just published', () => {
  const newer = {
    ...testDefinition,
    supported_languages: ['en', 'de', 'fr'],
    pages: [
      {
        questions: [
          { id: 'ate', type: 'single_choice', title: 'Did you eat?', required: true, options: ['yes', 'no', 'half'] },
          { id: 'dessert', type: 'text', title: 'Which dessert?' },
        ],
      },
    ],
    logic: [],
  };

  /** Publishes a version while the process has the earlier version in its cache. */
  async function publish() {
    const survey = app.survey.add();
    const { surveyId } = survey;
    expect((await app.submit(surveyId, { data })).status).toBe(201);
    app.survey.set(surveyId, { version: 2, definition: newer });
    return survey;
  }

  it.each([
    ['question', { data: { ate: 'no', dessert: 'cake' } }],
    ['option', { data: { ate: 'half' } }],
    ['language', { data: { ate: 'no' }, language: 'fr' }],
    ['number', { data: { ate: 'no', dessert: 'cake' }, survey_version: 2 }],
  ])('accepts a response with its new %s', async (_name, body) => {
    const { surveyId } = await publish();
    expect(await app.submit(surveyId, body)).toMatchObject({ status: 201, body: { survey_version: 2 } });
  });

  it('rejects what it does not know, either', async () => {
    const { surveyId } = await publish();
    const rejected = await app.submit(surveyId, { data: { ate: 'half', starter: 'soup' } });
    expect(rejected.body.errors.map(({ path }: { path: string }) => path)).toEqual(['/data/starter']);
  });

  it.each<[string, (survey: TestSurvey) => string]>([
    ['the survey', ({ surveyId }) => `/v1/public/surveys/${surveyId}`],
    ['a link', (survey) => `/v1/public/links/${app.survey.addLink(survey).slug}`],
    ['the summary', ({ surveyId }) => `/v1/surveys/${surveyId}/summary`],
  ])('is shown to readers of %s who require it, and a later one is not available', async (_title, pathOf) => {
    const survey = await publish();
    const { tenantId } = survey;
    const path = pathOf(survey);
    // The process still has the earlier version in its cache.
    const read = (version: number) => app.call('GET', `${path}?at_least_version=${version}`, { tenantId });
    expect(await read(2)).toMatchObject({ status: 200, body: { survey_version: 2 } });
    const missing = await read(3);
    expect(missing).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(missing.headers.get('retry-after')).toBe('1');
    expect((await read(0)).status).toBe(400);
  });
});

describe('a response', () => {
  it.each([
    ['de-AT', 'de'],
    ['de_CH', 'de'],
    ['EN-us', 'en'],
  ])('in %s is stored in the nearest language of the survey', async (language, stored) => {
    const { surveyId } = app.survey.add();
    const { status, body } = await app.submit(surveyId, { data, language });
    expect(status).toBe(201);
    expect(await app.responses.findOne({ _id: body.id })).toMatchObject({ language: stored });
  });

  it('finds its survey in capitals, and before a full stop', async () => {
    const { surveyId } = app.survey.add();
    for (const typed of [surveyId.toUpperCase(), `${surveyId}.`, `${surveyId.toUpperCase()})`])
      expect((await app.call('POST', `/v1/public/surveys/${typed}/responses`, { body: { data } })).status).toBe(201);
  });

  it('is accepted for a survey that was stored with another schema_version', async () => {
    const { surveyId } = app.survey.add({ schemaVersion: '2.0' });
    expect((await app.call('GET', `/v1/public/surveys/${surveyId}`)).body).toMatchObject({ version: 1 });
    expect((await app.submit(surveyId, { data })).status).toBe(201);
  });

  it('that takes too many steps of a survey from before the limit is rejected, and shorter ones are not', async () => {
    const logic = Array.from({ length: 130 }, (_, index) => ({
      question_id: 'age',
      conditions: [{ source_question: 'comment', operator: 'contains', value: `word${index}`, action: 'hide' }],
    }));
    const questions = [
      { id: 'comment', type: 'textarea', title: 'Anything else?', max_length: 200_000 },
      { id: 'age', type: 'text', title: 'How old are you?' },
    ];
    const { surveyId } = app.survey.add({ definition: { ...testDefinition, pages: [{ questions }], logic } });
    const submit = (length: number) => app.submit(surveyId, { data: { comment: 'x'.repeat(length) } });
    const rejected = await submit(150_000);
    expect([rejected.status, rejected.body.code]).toEqual([422, 'INVALID_ANSWERS']);
    expect(rejected.body.errors).toMatchObject([{ path: '/data/comment', code: 'TOO_COMPLEX' }]);
    expect((await submit(50_000)).status).toBe(201);
  });
});
