import { randomUUID } from 'node:crypto';
import { callOptionsFor } from '@survey/runtime/rpc/service-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSurveyService, type TestSurveyService, testPayload } from '../testing/test-survey-service.ts';
import { codesOf, makeSurveyOf, titled } from './testing/made-survey.ts';

const vip = { name: 'vip', type: 'boolean', from: ['token'] };

let service: TestSurveyService;

beforeAll(async () => {
  service = await startTestSurveyService();
});

afterAll(() => service.close());

const makeSurvey = (change?: object) => makeSurveyOf(service.tenant(), change);

describe('POST /v1/surveys', () => {
  it('keeps project and settings', async () => {
    const { call } = service.tenant();
    const project = await call('POST', '/v1/projects', { body: { name: 'Canteen' } });
    const settings = {
      opens_at: '2026-01-01T00:00:00.000Z',
      closes_at: '2999-01-01T00:00:00.000Z',
      response_limit: 100,
      access: 'links_only',
      languages: ['en'],
      retention_days: 30,
      metadata_fields: [
        { name: 'campaign', type: 'string', max_length: 100, from: ['url', 'link'] },
        { name: 'vip', type: 'boolean', from: ['token', 'api'] },
      ],
    };
    const body = { ...testPayload, project_id: project.body.id, settings };
    const made = await call('POST', '/v1/surveys', { body });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`/v1/surveys/${made.body.id}`);
    expect(made.headers.get('etag')).toBe('"1"');
    expect(made.body).toMatchObject({ project_id: project.body.id, settings, has_draft: false, status: 'draft' });
    expect((await call('GET', `/v1/surveys/${made.body.id}`)).body).toEqual(made.body);
  });

  it('returns the default settings', async () => {
    expect((await (await makeSurvey()).get()).settings).toEqual({
      access: 'open',
      languages: [],
      resume_across_devices: true,
      metadata_fields: [],
    });
  });

  it.each([
    [
      { settings: { opens_at: '2026-01-02T00:00:00Z', closes_at: '2026-01-01T00:00:00Z' } },
      '/settings/closes_at BAD_RANGE',
    ],
    [{ settings: { languages: ['en', 'de'] } }, '/settings/languages/1 UNDECLARED_LANGUAGE'],
    [{ settings: { response_limit: 0 } }, '/settings/response_limit OUT_OF_RANGE'],
    [{ settings: { access: 'nobody' } }, '/settings/access UNKNOWN_VALUE'],
    [{ settings: { retention_days: 36_501 } }, '/settings/retention_days OUT_OF_RANGE'],
    [{ settings: { metadata_fields: [{ ...vip, name: 'VIP' }] } }, '/settings/metadata_fields/0/name BAD_FORMAT'],
    [{ settings: { metadata_fields: [{ ...vip, type: 'text' }] } }, '/settings/metadata_fields/0/type UNKNOWN_VALUE'],
    [{ settings: { metadata_fields: [{ ...vip, from: [] }] } }, '/settings/metadata_fields/0/from TOO_FEW'],
    [{ settings: { metadata_fields: [{ ...vip, from: ['x'] }] } }, '/settings/metadata_fields/0/from/0 UNKNOWN_VALUE'],
    [{ settings: { metadata_fields: [{ ...vip, max_length: 9 }] } }, '/settings/metadata_fields/0/max_length INVALID'],
    [{ settings: { metadata_fields: [vip, vip] } }, '/settings/metadata_fields/1/name DUPLICATE_ITEM'],
    [{ settings: { metadata_fields: Array(51).fill(vip) } }, '/settings/metadata_fields TOO_MANY'],
    [{ project_id: randomUUID() }, '/project_id UNKNOWN_PROJECT'],
    [{ project_id: 'x' }, '/project_id BAD_FORMAT'],
  ])('rejects %j', async (change, expected) => {
    const rejected = await service.tenant().call('POST', '/v1/surveys', { body: { ...testPayload, ...change } });
    expect([rejected.status, codesOf(rejected)]).toEqual([422, [expected]]);
  });

  it('rejects the project of another tenant', async () => {
    const project = await service.tenant().call('POST', '/v1/projects', { body: { name: 'Theirs' } });
    const body = { ...testPayload, project_id: project.body.id };
    const rejected = await service.tenant().call('POST', '/v1/surveys', { body });
    expect(codesOf(rejected)).toEqual(['/project_id UNKNOWN_PROJECT']);
  });

  it('repeats the reply for the same Idempotency-Key, and rejects another body with 409', async () => {
    const { call } = service.tenant();
    const headers = { 'idempotency-key': 'k-1' };
    const [first, again] = [
      await call('POST', '/v1/surveys', { body: testPayload, headers }),
      await call('POST', '/v1/surveys', { body: testPayload, headers }),
    ];
    expect(again.body).toEqual(first.body);
    expect(['location', 'etag'].map((name) => again.headers.get(name))).toEqual([
      `/v1/surveys/${first.body.id}`,
      '"1"',
    ]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await call('POST', '/v1/surveys', { body: { ...testPayload, version: 2 }, headers });
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await call('GET', '/v1/surveys')).body).toHaveLength(1);
  });

  it('returns the current ETag for a repeat whose first reply was lost', async () => {
    const { call, id: tenantId } = service.tenant();
    const request = { body: testPayload, headers: { 'idempotency-key': 'k-1' } };
    const { id } = (await call('POST', '/v1/surveys', request)).body;
    const copy = () => call('POST', `/v1/surveys/${id}/duplicate`, { headers: request.headers });
    const copied = (await copy()).body.id;
    const used = service.db.collection('idempotency_keys');
    await used.updateMany({ tenant_id: tenantId }, { $set: { answer: null } });
    for (const made of [id, copied]) await call('POST', `/v1/surveys/${made}/publish`);
    for (const repeated of [await call('POST', '/v1/surveys', request), await copy()])
      expect([repeated.status, repeated.body.status, repeated.headers.get('etag')]).toEqual([201, 'active', '"2"']);
    expect((await call('GET', '/v1/surveys')).body).toHaveLength(2);
  });
});

describe('a stored survey with another schema_version', () => {
  // Earlier releases stored any version of the format.
  it('is read, listed, published, changed, duplicated and answered as before', async () => {
    const { surveyId, call, get, act, patch, put } = await makeSurvey();
    const surveys = service.db.collection<{ _id: string }>('surveys');
    const versions = service.db.collection('survey_versions');
    await surveys.updateOne({ _id: surveyId }, { $set: { schema_version: '2.0' } });
    await versions.updateMany({ survey_id: surveyId }, { $set: { schema_version: '2.0' } });
    expect(await get()).toMatchObject({ schema_version: '2.0', definition: testPayload.survey });
    expect((await call('GET', '/v1/surveys')).body).toMatchObject([{ id: surveyId, schema_version: '2.0' }]);
    expect(await act('publish')).toMatchObject({ status: 200, body: { schema_version: '2.0', status: 'active' } });
    expect((await patch({ settings: { response_limit: 5 } })).status).toBe(200);
    expect(await act('duplicate')).toMatchObject({ status: 201, body: { schema_version: '2.0' } });
    // The response service uses this call.
    const served = await service.definitions.getDefinition({ surveyId }, callOptionsFor({}));
    expect(served).toMatchObject({ schemaVersion: '2.0', definition: testPayload.survey });
    // Only a new definition needs a known version.
    expect(codesOf(await put(1, { schema_version: '2.0' }))).toEqual(['/schema_version BAD_SCHEMA_VERSION']);
    expect((await put(1)).body).toMatchObject({ schema_version: '1.0', version: 2 });
  });
});

describe('deletion', () => {
  it('hides a survey and everything below it', async () => {
    const { call, pathOf, act, put } = await makeSurvey();
    await put(1, titled('Dinner'), '?draft=true');
    expect((await call('DELETE', pathOf())).status).toBe(204);
    for (const rest of ['', '/versions', '/versions/1', '/draft', '/validate'])
      expect([rest, (await call('GET', pathOf(rest))).body.code]).toEqual([rest, 'SURVEY_NOT_FOUND']);
    for (const verb of ['publish', 'close', 'duplicate'])
      expect([verb, (await act(verb)).body.code]).toEqual([verb, 'SURVEY_NOT_FOUND']);
    expect((await put(1)).status).toBe(404);
    expect((await call('DELETE', pathOf())).status).toBe(404);
  });

  it('is undone by restore: an active survey becomes closed, and keeps its draft', async () => {
    const { call, pathOf, act, put, get } = await makeSurvey({ settings: { response_limit: 5 } });
    await act('publish');
    await put(1, titled('Dinner'), '?draft=true');
    const { updated_at: _, ...before } = await get();
    await call('DELETE', pathOf());
    const restored = await act('restore');
    expect([restored.status, restored.headers.get('etag')]).toEqual([200, '"5"']);
    expect(restored.body).toMatchObject({ ...before, status: 'closed' });
    expect(restored.body).not.toHaveProperty('deleted_at');
    expect(await get()).toEqual(restored.body);
    expect((await act('restore')).body.code).toBe('STATE_CONFLICT');
    expect((await call('POST', `/v1/surveys/${randomUUID()}/restore`)).body.code).toBe('SURVEY_NOT_FOUND');
  });
});

describe('POST /v1/surveys/{survey_id}/duplicate', () => {
  it('creates a draft with the same definition, settings and project, without history', async () => {
    const { call, pathOf, act, put, patch, get, surveyId } = await makeSurvey({ settings: { response_limit: 5 } });
    const project = await call('POST', '/v1/projects', { body: { name: 'Canteen' } });
    await patch({ project_id: project.body.id });
    await act('publish');
    await put(1, titled('Dinner'));
    await put(2, titled('Breakfast'), '?draft=true');
    const made = await act('duplicate');
    expect([made.status, made.headers.get('location')]).toEqual([201, `/v1/surveys/${made.body.id}`]);
    expect(made.body.id).not.toBe(surveyId);
    const { definition, settings, project_id } = await get();
    expect(made.body).toMatchObject({
      definition,
      settings,
      project_id,
      version: 1,
      status: 'draft',
      has_draft: false,
    });
    expect(made.body).not.toHaveProperty('published_at');
    const versions = await call('GET', `/v1/surveys/${made.body.id}/versions`);
    expect(versions.body).toMatchObject([{ version: 1, survey_id: made.body.id }]);
    expect((await call('GET', pathOf('/versions'))).body).toHaveLength(2);
  });

  it('creates one per Idempotency-Key', async () => {
    const { call, pathOf } = await makeSurvey();
    const duplicate = () => call('POST', pathOf('/duplicate'), { headers: { 'idempotency-key': 'k-1' } });
    const [first, again] = [await duplicate(), await duplicate()];
    expect(again.body).toEqual(first.body);
    expect((await call('GET', '/v1/surveys')).body).toHaveLength(2);
  });
});
