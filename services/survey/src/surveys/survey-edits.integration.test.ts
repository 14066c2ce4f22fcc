import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSurveyService, type TestSurveyService, testPayload } from '../testing/test-survey-service.ts';
import { codesOf, makeSurveyOf } from './testing/made-survey.ts';

let service: TestSurveyService;

beforeAll(async () => {
  service = await startTestSurveyService();
});

afterAll(() => service.close());

const makeSurvey = (change?: object) => makeSurveyOf(service.tenant(), change);

describe('PATCH /v1/surveys/{survey_id}', () => {
  const settings = {
    closes_at: '2999-01-01T00:00:00.000Z',
    response_limit: 5,
    access: 'links_only',
    languages: ['en'],
    resume_across_devices: false,
    metadata_fields: [{ name: 'vip', type: 'boolean', from: ['token'] }],
  };

  it('changes the given members, clears those that are null, and keeps the others', async () => {
    const { patch, call } = await makeSurvey({ settings });
    const project = await call('POST', '/v1/projects', { body: { name: 'Canteen' } });
    const changed = await patch({ project_id: project.body.id, settings: { response_limit: 6, closes_at: null } });
    const { closes_at: _, ...kept } = settings;
    expect(changed.body).toMatchObject({ project_id: project.body.id, version: 1 });
    expect(changed.body.settings).toEqual({ ...kept, response_limit: 6 });
    const cleared = await patch({
      project_id: null,
      settings: { access: null, languages: null, resume_across_devices: null, metadata_fields: null },
    });
    expect(cleared.body).not.toHaveProperty('project_id');
    expect(cleared.body.settings).toEqual({
      response_limit: 6,
      access: 'open',
      languages: [],
      resume_across_devices: true,
      metadata_fields: [],
    });
    expect((await patch({ settings: null })).body.settings).toEqual({
      access: 'open',
      languages: [],
      resume_across_devices: true,
      metadata_fields: [],
    });
  });

  it.each([{}, { settings: {} }, { settings }, { project_id: null, settings: { response_limit: 5 } }])(
    'changes nothing by %j',
    async (body) => {
      const { patch, get } = await makeSurvey({ settings });
      const before = await get();
      const { status, headers, body: after } = await patch(body);
      expect([status, headers.get('etag'), after]).toEqual([200, '"1"', before]);
    },
  );

  it.each([
    [{ settings: { opens_at: '2999-01-01T00:00:00Z' } }, 422, ['/settings/closes_at BAD_RANGE']],
    [{ settings: { languages: ['fr'] } }, 422, ['/settings/languages/0 UNDECLARED_LANGUAGE']],
    [{ settings: { response_limit: 0 } }, 422, ['/settings/response_limit OUT_OF_RANGE']],
    [{ project_id: randomUUID() }, 422, ['/project_id UNKNOWN_PROJECT']],
    [{ project_id: '' }, 422, ['/project_id BAD_FORMAT']],
    [{ status: 'active' }, 400, ['/status UNKNOWN_FIELD']],
    [{ settings: { colour: 'red' } }, 400, ['/settings/colour UNKNOWN_FIELD']],
  ])('rejects %j', async (body, status, expected) => {
    const { patch, get } = await makeSurvey({ settings });
    const before = await get();
    const rejected = await patch(body);
    expect([rejected.status, codesOf(rejected)]).toEqual([status, expected]);
    expect(await get()).toEqual(before);
  });
});

describe('If-Match', () => {
  const writes = [
    ['PUT', '', testPayload],
    ['PUT', '?draft=true', testPayload],
    ['PATCH', '', {}],
    ['POST', '/publish', undefined],
    ['POST', '/close', undefined],
    ['POST', '/restore', undefined],
    ['DELETE', '', undefined],
    ['DELETE', '/draft', undefined],
  ] as const;

  it.each(writes)('with another revision rejects %s %s, and nothing changes', async (method, rest, body) => {
    const { call, pathOf, get } = await makeSurvey();
    const before = await get();
    const rejected = await call(method, pathOf(rest), { body, headers: { 'if-match': '"2", W/"3"' } });
    expect([rejected.status, rejected.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
    expect(await get()).toEqual(before);
  });

  it('with the current revision allows each write, which returns the next revision', async () => {
    const { call, pathOf } = await makeSurvey();
    let etag = (await call('GET', pathOf())).headers.get('etag') ?? '';
    expect(etag).toBe('"1"');
    const body = { ...testPayload, version: 1 };
    for (const [method, rest, given] of [
      ['PATCH', '', { settings: { response_limit: 1 } }],
      ['PUT', '?draft=true', body],
      ['POST', '/publish', undefined],
      ['PUT', '', { ...body, version: 2 }],
      ['POST', '/close', undefined],
    ] as const) {
      const reply = await call(method, pathOf(rest), { body: given, headers: { 'if-match': etag } });
      expect([rest, reply.status]).toEqual([rest, 200]);
      expect(reply.headers.get('etag')).not.toBe(etag);
      etag = reply.headers.get('etag') ?? '';
    }
    expect((await call('DELETE', pathOf(), { headers: { 'if-match': etag } })).status).toBe(204);
    expect((await call('POST', pathOf('/restore'), { headers: { 'if-match': '*' } })).status).toBe(200);
  });

  it('is rejected if malformed', async () => {
    const { patch } = await makeSurvey();
    expect((await patch({}, { 'if-match': 'one' })).status).toBe(400);
  });
});
