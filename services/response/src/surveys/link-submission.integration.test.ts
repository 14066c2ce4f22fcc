import { randomBytes, randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ResponseImportService } from '@survey/proto/survey/responses/v1/response_import_service_pb';
import { invitationIdOf, toLinkTokens } from '@survey/runtime/auth/link-token';
import { createPasswordHasher } from '@survey/runtime/auth/password-hash';
import { callOptionsFor } from '@survey/runtime/rpc/service-client';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDeletedResponseStore } from '../responses/deleted-response-store.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';
import { testDefinition } from '../testing/test-definition.ts';
import { createTestSlices, createTestWindows } from '../testing/test-stores.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

type Sent = Readonly<Record<string, string>>;

const data = { ate: 'yes', taste: 4 };
const tokenKey = randomBytes(32);
const [token = '', otherToken = ''] = toLinkTokens(tokenKey, 'batch', 2);

const submit = (slug: string, headers: Sent = {}, body: unknown = { data }) =>
  app.call('POST', `/v1/public/links/${slug}/responses`, { body, headers });
const visit = (slug: string, headers: Sent = {}) => app.call('GET', `/v1/public/links/${slug}`, { headers });

describe('a submission through a link', () => {
  it('is stored with its link, and sends the tenant to the gateway', async () => {
    const survey = app.survey.add({ settings: { access: 'links_only' } });
    const { slug, linkId } = app.survey.addLink(survey);
    const { status, headers, body } = await submit(slug, {}, { data, language: 'DE' });
    expect(status).toBe(201);
    expect(headers.get('x-survey-tenant')).toBe(survey.tenantId);
    expect(headers.get('etag')).toBe('"1"');
    expect(body).toEqual({
      id: expect.any(String),
      status: 'completed',
      survey_id: survey.surveyId,
      survey_version: 1,
      created_at: expect.any(String),
      completed_at: expect.any(String),
    });
    const read = await app.call('GET', `/v1/responses/${body.id}`, { tenantId: survey.tenantId });
    expect(read.body).toMatchObject({ data, link_id: linkId, language: 'de' });
  });

  it.each([
    ['does not exist', {}, 404, 'LINK_NOT_FOUND', randomUUID()],
    ['is inactive', { active: false }, 404, 'LINK_NOT_FOUND', undefined],
    ['has expired', { expiresAt: new Date(Date.now() - 1) }, 410, 'LINK_EXPIRED', undefined],
    ['needs a token', { singleUse: true, tokenKey }, 403, 'LINK_TOKEN_WRONG', undefined],
  ] as const)('is rejected if the link %s', async (_case, given, status, code, unknown) => {
    const survey = app.survey.add();
    const { slug } = app.survey.addLink(survey, given);
    expect(await submit(unknown ?? slug)).toMatchObject({ status, body: { code } });
    expect(await app.responses.countDocuments({ survey_id: survey.surveyId })).toBe(0);
  });

  it.each([
    [{ status: 'draft' }, 404, 'SURVEY_NOT_FOUND'],
    [{ status: 'closed' }, 409, 'SURVEY_CLOSED'],
    [{ settings: { opensAt: new Date(Date.now() + 60_000) } }, 409, 'SURVEY_NOT_OPEN_YET'],
  ] as const)('is rejected if the survey is %j', async (given, status, code) => {
    const { slug } = app.survey.addLink(app.survey.add(given));
    expect(await submit(slug)).toMatchObject({ status, body: { code } });
  });

  it('is validated like any other', async () => {
    const { slug } = app.survey.addLink(app.survey.add());
    expect(await submit(slug, {}, { data: {} })).toMatchObject({ status: 422, body: { code: 'INVALID_ANSWERS' } });
    expect(await submit(slug, {}, { data, language: 'fr' })).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_FAILED', errors: [{ path: '/language', code: 'UNDECLARED_LANGUAGE' }] },
    });
  });

  it('needs the password, or a pass', async () => {
    const passwordHash = await createPasswordHasher().hashPassword('secret');
    const { slug } = app.survey.addLink(app.survey.add(), { passwordHash });
    expect(await submit(slug)).toMatchObject({ status: 403, body: { code: 'LINK_PASSWORD_WRONG' } });
    const first = await submit(slug, { 'link-password': 'secret' });
    expect(first.status).toBe(201);
    const pass = first.headers.get('link-token') ?? '';
    expect((await submit(slug, { 'link-token': pass })).status).toBe(201);
  });

  it('works during an outage of the survey service, even after a restart', async () => {
    const { slug } = app.survey.addLink(app.survey.add());
    expect((await visit(slug)).status).toBe(200);
    await app.withoutSurvey(async () => {
      expect((await submit(slug)).status).toBe(201);
      await app.restart();
      expect((await submit(slug)).status).toBe(201);
    });
  });

  it('returns its first reply for its key, even after the link expired; the key is another one on another link', async () => {
    const survey = app.survey.add();
    const { slug } = app.survey.addLink(survey);
    const { slug: other } = app.survey.addLink(survey);
    const key = { 'idempotency-key': randomUUID() };
    const first = await submit(slug, key);
    const again = await submit(slug, key);
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    expect((await submit(slug, key, { data: { ate: 'no' } })).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    const elsewhere = [await submit(other, key), await app.submit(survey.surveyId, { data }, key)];
    expect(new Set([first, ...elsewhere].map(({ body }) => body.id)).size).toBe(3);
    app.survey.setLink(slug, { expiresAt: new Date() });
    await poll(async () => (await submit(slug)).status === 410);
    expect((await submit(slug, key)).body).toEqual(first.body);
  });
});

describe('metadata of a link', () => {
  const metadata = { campaign: 'spring', wave: 2 };
  const stored = async (id: string, { tenantId }: { readonly tenantId: string }) =>
    (await app.call('GET', `/v1/responses/${id}`, { tenantId })).body.metadata;

  it('is in each response, goes before that of the request, and is not shown to the respondent', async () => {
    const link = app.survey.addLink(app.survey.add(), { metadata });
    const { body } = await submit(link.slug, {}, { data, metadata: { campaign: 'autumn', seat: 7 } });
    expect(await stored(body.id, link)).toEqual({ campaign: 'spring', wave: 2, seat: 7 });
    const plain = await submit(link.slug);
    expect(await stored(plain.body.id, link)).toEqual(metadata);
    expect(JSON.stringify([body, (await visit(link.slug)).body])).not.toContain('spring');
  });

  it('is the current one for new responses, also during an outage of the survey service', async () => {
    const link = app.survey.addLink(app.survey.add(), { metadata });
    const first = await submit(link.slug);
    app.survey.setLink(link.slug, { metadata: { campaign: 'autumn' } });
    await poll(async () => (await stored((await submit(link.slug)).body.id, link)).campaign === 'autumn');
    await app.withoutSurvey(async () => {
      await app.restart();
      expect(await stored((await submit(link.slug)).body.id, link)).toEqual({ campaign: 'autumn' });
    });
    expect(await stored(first.body.id, link)).toEqual(metadata);
  });

  it.each([
    [
      { campaign: 'autumn', seat: 8 },
      { ...metadata, seat: 8 },
    ],
    [{ campaign: null, seat: null }, metadata],
    [null, metadata],
  ])('stays when the respondent saves the metadata %j', async (change, expected) => {
    const link = app.survey.addLink(app.survey.add(), { metadata });
    const begun = { status: 'in_progress', data: {}, metadata: { seat: 7 } };
    const { id, resume_token } = (await submit(link.slug, {}, begun)).body;
    const save = (body: object) =>
      app.call('PATCH', `/v1/public/responses/${id}`, { headers: { 'resume-token': resume_token }, body });
    expect((await save({ metadata: change })).status).toBe(200);
    expect(await stored(id, link)).toEqual(expected);
    const completion = { status: 'completed', data, metadata: change };
    const finished = await save(completion);
    expect(finished.status).toBe(200);
    app.survey.setLink(link.slug, { expiresAt: new Date() });
    await poll(async () => (await visit(link.slug)).status === 410);
    expect((await save(completion)).body).toEqual(finished.body);
    expect(await stored(id, link)).toEqual(expected);
  });

  it('has at most 16 KiB together with that of the request', async () => {
    const { slug } = app.survey.addLink(app.survey.add(), { metadata: { campaign: 'x'.repeat(4_000) } });
    const withText = (length: number) => submit(slug, {}, { data, metadata: { text: 'x'.repeat(length) } });
    expect((await withText(12_000)).status).toBe(201);
    expect(await withText(13_000)).toMatchObject({
      status: 422,
      body: { errors: [{ path: '/metadata', code: 'TOO_LARGE' }] },
    });
  });
});

describe('a token of a single-use link', () => {
  const withToken = (one: string, more: Sent = {}): Sent => ({ 'link-token': one, ...more });
  const newKey = () => ({ 'idempotency-key': randomUUID() });
  const begun = { status: 'in_progress', data: { ate: 'yes' } };
  const usedUp = { status: 410, body: { code: 'LINK_TOKEN_USED' } };
  const newLink = (settings: object = {}) => {
    const survey = app.survey.add({ settings });
    return { ...survey, ...app.survey.addLink(survey, { singleUse: true, tokenKey }) };
  };
  const save = ({ id, resume_token }: Sent, body: object, headers: Sent = {}) =>
    app.call('PATCH', `/v1/public/responses/${id}`, {
      headers: { 'resume-token': resume_token ?? '', ...headers },
      body,
    });
  const remove = (id: string, tenantId: string) =>
    app.call('DELETE', `/v1/responses/${id}`, { tenantId, permissions: ['responses:delete'] });
  /** Imports a deleted response from an export, under the same id. */
  async function importAgain(
    id: string,
    { tenantId, surveyId }: Pick<ReturnType<typeof newLink>, 'tenantId' | 'surveyId'>,
  ) {
    const connection = await app.keys.connectAs('import', 'response', `127.0.0.1:${app.ports().grpcPort}`);
    const responses = [{ id, answers: JSON.stringify(data) }];
    const reply = await connection
      .client(ResponseImportService)
      .storeImportedResponses(
        { surveyId, responses, importBegunAt: timestampFromDate(new Date()) },
        callOptionsFor({ claims: { tenantId } }),
      );
    connection.close();
    expect(reply.outcomes).toMatchObject([{ outcome: 'imported' }]);
  }
  /** Deletes all temporary tombstones. */
  async function deleteTombstones() {
    const deleted = createDeletedResponseStore({
      collection: app.responses,
      windows: createTestWindows(app.db),
      slices: createTestSlices(app.db),
      onEvent: () => {},
    });
    while (await deleted.deleteTombstones(new Date()));
  }

  it('has one response in progress, which its link returns on every device, and which uses it up when complete', async () => {
    const { slug, surveyId } = newLink();
    const fresh = await visit(slug, withToken(token));
    expect([fresh.status, 'response_in_progress' in fresh.body]).toEqual([200, false]);
    const { body } = await submit(slug, withToken(token), { ...begun, language: 'de' });
    expect(body).toMatchObject({ status: 'in_progress', resume_token: expect.any(String) });
    for (const more of [{ data }, { data: {} }, begun])
      expect(await submit(slug, withToken(token, newKey()), more)).toMatchObject({
        status: 409,
        body: { code: 'RESPONSE_IN_PROGRESS', response_id: body.id },
      });
    const other = await visit(slug, withToken(token));
    expect(other.body.response_in_progress).toEqual({
      resumable: true,
      id: body.id,
      resume_token: body.resume_token,
      revision: 1,
      data: { ate: 'yes' },
      language: 'de',
      updated_at: expect.any(String),
    });
    expect(other.headers.get('cache-control')).toBe('no-store');
    expect((await save(body, { data: { taste: 3 } })).status).toBe(200);
    const later = await visit(slug, withToken(token));
    expect(later.body.response_in_progress).toMatchObject({ revision: 2, data: { ate: 'yes', taste: 3 } });
    expect(new Set([fresh, other, later].map(({ headers }) => headers.get('etag'))).size).toBe(3);
    for (const headers of [withToken(otherToken), {}])
      expect((await visit(slug, headers)).body).not.toHaveProperty('response_in_progress');
    const read = () =>
      app.call('GET', `/v1/public/responses/${body.id}`, { headers: { 'resume-token': body.resume_token } });
    expect((await read()).body).toMatchObject({ status: 'in_progress', data: { ate: 'yes', taste: 3 } });
    expect((await save(body, { status: 'completed' })).body.status).toBe('completed');
    const { body: finished } = await read();
    expect([finished.status, finished.data]).toEqual(['completed', {}]);
    expect([await visit(slug, withToken(token)), await submit(slug, withToken(token))]).toMatchObject([usedUp, usedUp]);
    expect((await submit(slug, withToken(otherToken))).status).toBe(201);
    expect(await app.responses.countDocuments({ survey_id: surveyId })).toBe(2);
  });

  it('is named in its response by the id of the invitation, never by itself', async () => {
    const { slug, tenantId, surveyId } = newLink();
    const { body } = await submit(slug, withToken(token), begun);
    await save(body, { status: 'completed', data });
    const invitation_id = invitationIdOf(token);
    const read = (path: string) =>
      app.call('GET', path, { tenantId, permissions: ['responses:read', 'responses:export'] });
    const stored = await read(`/v1/responses/${body.id}`);
    const list = await read(`/v1/surveys/${surveyId}/responses`);
    expect([stored.body, list.body[0]]).toMatchObject([{ invitation_id }, { invitation_id }]);
    const ndjson = await read(`/v1/surveys/${surveyId}/responses/export?format=ndjson`);
    expect(ndjson.body).toContain(invitation_id);
    const change = await poll(async () => (await read(`/v1/surveys/${surveyId}/responses/changes`)).body.changes[0]);
    expect(change.response).toMatchObject({ invitation_id });
    const document = await app.responses.findOne({ _id: body.id });
    expect(document).toMatchObject({ invitation_id });
    for (const half of token.split('.')) expect(JSON.stringify(document)).not.toContain(half);
    expect((await app.submit(surveyId, { data })).status).toBe(201);
    expect(
      (await read(`/v1/surveys/${surveyId}/responses?status=completed`)).body.filter(
        (one: object) => 'invitation_id' in one,
      ),
    ).toHaveLength(1);
  });

  it('returns the version that its response answers, in the offered languages', async () => {
    const { slug, surveyId } = newLink();
    await submit(slug, withToken(token), begun);
    app.survey.set(surveyId, { version: 2, definition: { ...testDefinition, title: 'Newer' } });
    await poll(async () => (await visit(slug, withToken(otherToken))).body.version === 2);
    const resumed = (await visit(slug, withToken(token))).body;
    expect(resumed).toMatchObject({ version: 1, response_in_progress: { resumable: true } });
    expect(resumed.definition).toEqual(testDefinition);
  });

  it('reveals only that a response is in progress, if the setting says so', async () => {
    const { slug } = newLink({ resumeAcrossDevices: false });
    const { body } = await submit(slug, withToken(token), begun);
    expect((await visit(slug, withToken(token))).body.response_in_progress).toEqual({ resumable: false });
    const rejected = await submit(slug, withToken(token), begun);
    expect(rejected).toMatchObject({ status: 409, body: { code: 'RESPONSE_IN_PROGRESS' } });
    expect(rejected.body).not.toHaveProperty('response_id');
    expect((await save(body, { status: 'completed', data })).status).toBe(200);
  });

  it('lets two devices save, and rejects the one that has not seen the other answers', async () => {
    const { slug } = newLink();
    const { body } = await submit(slug, withToken(token), begun);
    const { revision, ...second } = (await visit(slug, withToken(token))).body.response_in_progress;
    const seen = { 'if-match': `"${revision}"` };
    const saved = await save(second, { data: { taste: 5 } }, seen);
    expect([saved.status, saved.headers.get('etag')]).toEqual([200, '"2"']);
    expect((await save(body, { data: { taste: 1 } }, seen)).body.code).toBe('PRECONDITION_FAILED');
    const completion = { status: 'completed', data: { taste: 5 } };
    expect((await save(body, completion, { 'if-match': '"2"' })).status).toBe(200);
    expect((await save(body, completion, { 'if-match': '"2"' })).status).toBe(200);
    expect((await save(second, { status: 'completed', data: { taste: 4 } }, seen)).body.code).toBe('STATE_CONFLICT');
  });

  it('is not used up by a rejected response, and returns the first reply for a repeated request with its key', async () => {
    const { slug } = newLink();
    const key = withToken(token, newKey());
    expect((await submit(slug, key, { data: {} })).status).toBe(422);
    const first = await submit(slug, key);
    expect(first.status).toBe(201);
    const again = await submit(slug, key);
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    expect((await submit(slug, key, { data: { ate: 'no' } })).body.code).toBe('LINK_TOKEN_USED');
    expect((await submit(slug, withToken(token, newKey()))).body.code).toBe('LINK_TOKEN_USED');
  });

  it.each([
    ['completed', data],
    ['disqualified', { comment: 'spam' }],
  ])('stays used up if its response is %s and then deleted', async (status, answers) => {
    const { slug, tenantId, surveyId } = newLink();
    const { body } = await submit(slug, withToken(token), { data: answers });
    expect(body.status).toBe(status);
    await remove(body.id, tenantId);
    expect([await visit(slug, withToken(token)), await submit(slug, withToken(token))]).toMatchObject([usedUp, usedUp]);
    await poll(async () => (await app.responses.findOne({ _id: body.id }))?.outbox.length === 0);
    await deleteTombstones();
    expect([await visit(slug, withToken(token)), await submit(slug, withToken(token))]).toMatchObject([usedUp, usedUp]);
    expect((await app.call('GET', `/v1/responses/${body.id}`, { tenantId })).status).toBe(404);
    const list = await app.call('GET', `/v1/surveys/${surveyId}/responses`, { tenantId });
    expect(list.body).toEqual([]);
  });

  it.each([
    ['used up', 'finished', { data }, usedUp],
    ['free', 'unfinished', begun, { status: 201 }],
  ])('stays %s if its %s response is deleted, imported again and deleted again', async (_state, _case, first, then) => {
    const { slug, tenantId, surveyId } = newLink();
    const { body } = await submit(slug, withToken(token), first);
    await remove(body.id, tenantId);
    const hasUsedUp = async () => (await visit(slug, withToken(token))).status === usedUp.status;
    const wasUsedUp = await hasUsedUp();
    await importAgain(body.id, { tenantId, surveyId });
    const [copy, ...others] = await app.responses.find({ survey_id: surveyId }).toArray();
    expect([copy?.link_id ?? undefined, others]).toEqual([undefined, []]);
    const shown = await app.call('GET', `/v1/responses/${copy?._id}`, { tenantId });
    expect(shown.body.external_id).toBe(body.id);
    expect(await hasUsedUp()).toBe(wasUsedUp);
    await remove(copy?._id ?? '', tenantId);
    await deleteTombstones();
    expect(await submit(slug, withToken(token))).toMatchObject(then);
  });

  it('is free again when its response in progress is deleted or abandoned, any number of times', async () => {
    const { slug, tenantId } = newLink();
    const ids = new Set<string>();
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      const key = withToken(token, newKey());
      const { body } = await submit(slug, key, begun);
      ids.add(body.id);
      if (attempt % 2 === 0) await app.responses.updateOne({ _id: body.id }, { $set: { status: 'abandoned' } });
      else await remove(body.id, tenantId);
      const fresh = await visit(slug, withToken(token));
      expect([fresh.status, 'response_in_progress' in fresh.body]).toEqual([200, false]);
      // A late repeat of the first request stores nothing.
      const late = await submit(slug, key, begun);
      if (attempt % 2 === 0) expect(late).toMatchObject({ status: 201, body: { id: body.id } });
      else expect(late).toMatchObject({ status: 410, body: { code: 'RESPONSE_DELETED' } });
    }
    const last = await submit(slug, withToken(token));
    expect(ids.add(last.body.id).size).toBe(7);
    await deleteTombstones();
    expect([await visit(slug, withToken(token)), await submit(slug, withToken(token))]).toMatchObject([usedUp, usedUp]);
  });

  it('stays used up by responses that an earlier release deleted', async () => {
    const { slug, tenantId } = newLink();
    const { body } = await submit(slug, withToken(token), begun);
    await remove(body.id, tenantId);
    await app.responses.updateOne({ _id: body.id }, { $unset: { unfinished: 1, request_hash: 1 } });
    expect([await visit(slug, withToken(token)), await submit(slug, withToken(token))]).toMatchObject([usedUp, usedUp]);
  });
});

/** Starts a response through a link. Returns a function that completes the response. */
async function begin(slug: string) {
  const { body } = await submit(slug, {}, { status: 'in_progress', data });
  return () =>
    app.call('PATCH', `/v1/public/responses/${body.id}`, {
      headers: { 'resume-token': body.resume_token },
      body: { status: 'completed' },
    });
}

describe('a link with a response limit', () => {
  it('rejects visitors when the limit is reached', async () => {
    const { slug } = app.survey.addLink(app.survey.add(), { maxResponses: 1 });
    const finish = await begin(slug);
    expect((await visit(slug)).status).toBe(200);
    expect((await submit(slug)).status).toBe(201);
    await poll(async () => (await visit(slug)).body.code === 'LINK_USED_UP');
    expect(await finish()).toMatchObject({ status: 410, body: { code: 'LINK_USED_UP' } });
    app.survey.setLink(slug, { maxResponses: 2 });
    await poll(async () => (await finish()).status === 200);
  });

  it('keeps its limit if its slug is given to another link', async () => {
    const { slug } = app.survey.addLink(app.survey.add(), { maxResponses: 1 });
    const [first, second] = [await begin(slug), await begin(slug)];
    const passwordHash = await createPasswordHasher().hashPassword('secret');
    app.survey.setLink(slug, { slug: randomUUID() });
    const { linkId } = app.survey.addLink(app.survey.add(), { slug, passwordHash });
    await poll(async () => (await visit(slug)).status === 403);
    expect((await app.links.find({ slug, active: true }).toArray()).map(({ link_id }) => link_id)).toEqual([linkId]);
    expect((await first()).status).toBe(200);
    expect(await second()).toMatchObject({ status: 410, body: { code: 'LINK_USED_UP' } });
  });
});
