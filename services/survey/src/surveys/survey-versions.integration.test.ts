import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSurveyService, type TestSurveyService, testPayload } from '../testing/test-survey-service.ts';
import { codesOf, makeSurveyOf, titled, unfinished } from './testing/made-survey.ts';

let service: TestSurveyService;

beforeAll(async () => {
  service = await startTestSurveyService();
});

afterAll(() => service.close());

const makeSurvey = (change?: object) => makeSurveyOf(service.tenant(), change);

describe('PUT /v1/surveys/{survey_id}', () => {
  it('creates the next version of a draft, even with errors', async () => {
    const { put, get } = await makeSurvey();
    expect((await put(1, unfinished)).body).toMatchObject({
      version: 2,
      definition: unfinished.survey,
      status: 'draft',
    });
    expect(await get()).toMatchObject({ version: 2, definition: unfinished.survey, updated_by: 'user-1' });
  });

  it('makes the next version of an active survey live immediately, and rejects one with errors', async () => {
    const { put, act, get, call, pathOf } = await makeSurvey();
    await act('publish');
    const rejected = await put(1, unfinished);
    expect([rejected.status, rejected.body.code]).toEqual([422, 'INVALID_DEFINITION']);
    expect(codesOf(rejected)).toEqual(['/survey/pages/0/questions/0/options MISSING_OPTIONS']);
    expect(await get()).toMatchObject({ version: 1 });
    expect((await put(1, titled('Dinner'))).body).toMatchObject({ version: 2, status: 'active' });
    expect((await call('GET', pathOf('/versions/2'))).body).toMatchObject({ published_at: expect.any(String) });
  });

  it.each([1, 3])('rejects version %i while 2 is the latest', async (version) => {
    const { put, get } = await makeSurvey();
    await put(1);
    const rejected = await put(version);
    expect([rejected.status, rejected.body.code]).toEqual([409, 'VERSION_CONFLICT']);
    expect(rejected.body.detail).toBe(`The edit is based on version ${version}, the latest is 2`);
    expect((await get()).version).toBe(2);
  });

  it('rejects an invalid shape with pointers', async () => {
    const { put } = await makeSurvey();
    const rejected = await put(1, { survey: { title: '' }, settings: { response_limit: 1 } });
    expect([rejected.status, rejected.body.code]).toEqual([422, 'INVALID_DEFINITION']);
    expect(codesOf(rejected)).toContain('/survey/pages MISSING_MEMBER');
    expect(codesOf(await put(1, { project_id: 'x' }))).toEqual(['/project_id BAD_FORMAT']);
  });

  it('keeps the project and settings if they are missing, and replaces given settings', async () => {
    const { put, call, patch } = await makeSurvey({ settings: { response_limit: 5, retention_days: 3 } });
    const project = await call('POST', '/v1/projects', { body: { name: 'Canteen' } });
    await patch({ project_id: project.body.id });
    const kept = { project_id: project.body.id, settings: { response_limit: 5, retention_days: 3 } };
    expect((await put(1)).body).toMatchObject(kept);
    const replaced = await put(2, { settings: { response_limit: 6 } });
    expect(replaced.body.settings).toEqual({
      response_limit: 6,
      access: 'open',
      languages: [],
      resume_across_devices: true,
      metadata_fields: [],
    });
    expect(codesOf(await put(3, { project_id: randomUUID() }))).toEqual(['/project_id UNKNOWN_PROJECT']);
  });

  it('rejects a definition without a language of the settings', async () => {
    const { put } = await makeSurvey({ settings: { languages: ['en'] } });
    const rejected = await put(1, { survey: { ...testPayload.survey, supported_languages: ['de'] } });
    expect(codesOf(rejected)).toEqual(['/settings/languages/0 UNDECLARED_LANGUAGE']);
  });
});

describe('a draft next to the live version', () => {
  it('is hidden from respondents, can be read and replaced, and goes live by publishing', async () => {
    const { put, act, get, call, pathOf } = await makeSurvey();
    await act('publish');
    expect((await put(1, unfinished, '?draft=true')).body).toMatchObject({
      version: 1,
      status: 'active',
      has_draft: true,
      definition: testPayload.survey,
    });
    await put(1, titled('Dinner'), '?draft=true');
    const draft = await call('GET', pathOf('/draft'));
    expect(draft.body).toMatchObject({ based_on: 1, definition: { title: 'Dinner' }, updated_by: 'user-1' });
    expect(draft.headers.get('etag')).toBe('"4"');
    expect((await act('publish')).body).toMatchObject({
      version: 2,
      status: 'active',
      has_draft: false,
      definition: { title: 'Dinner' },
    });
    expect((await call('GET', pathOf('/draft'))).body.code).toBe('DRAFT_NOT_FOUND');
    expect((await get()).has_draft).toBe(false);
  });

  it('is not published while it has errors', async () => {
    const { put, act, get } = await makeSurvey();
    await act('publish');
    await put(1, unfinished, '?draft=true');
    expect(codesOf(await act('publish'))).toEqual(['/survey/pages/0/questions/0/options MISSING_OPTIONS']);
    expect(await get()).toMatchObject({ version: 1, has_draft: true });
  });

  it('is not published while its logic can take too many steps, with the figure', async () => {
    const logic = Array.from({ length: 130 }, (_, index) => ({
      question_id: 'more',
      conditions: [{ source_question: 'story', operator: 'contains', value: `word${index}`, action: 'hide' }],
    }));
    const questions = [
      { id: 'story', type: 'textarea', title: 'What happened?', max_length: 100_000 },
      { id: 'more', type: 'text', title: 'More?' },
    ];
    const { put, act } = await makeSurvey();
    const survey = { ...testPayload.survey, pages: [{ questions }], logic };
    expect((await put(1, { survey })).status).toBe(200);
    const rejected = await act('publish');
    expect([rejected.status, rejected.body.code]).toEqual([422, 'INVALID_DEFINITION']);
    const detail = 'logic and patterns can take 13,000,000 steps for one response; at most 12,000,000 are allowed';
    const [first] = rejected.body.errors;
    expect(first).toMatchObject({ code: 'LIMIT_EXCEEDED', detail: expect.stringContaining(detail) });
  });

  it('is not published over a newer version than its base', async () => {
    const { put, act } = await makeSurvey();
    await act('publish');
    await put(1, titled('Dinner'), '?draft=true');
    expect((await put(1, titled('Breakfast'))).body).toMatchObject({ version: 2, has_draft: true });
    const rejected = await act('publish');
    expect([rejected.status, rejected.body.detail]).toEqual([409, 'The draft is based on version 1, the latest is 2']);
    await put(2, titled('Dinner'), '?draft=true');
    expect((await act('publish')).body).toMatchObject({ version: 3, definition: { title: 'Dinner' } });
  });

  it('has only a definition, based on the latest version', async () => {
    const { put, get } = await makeSurvey();
    const rejected = await put(1, { settings: {}, project_id: randomUUID() }, '?draft=true');
    expect([rejected.status, codesOf(rejected)]).toEqual([422, ['/project_id NOT_IN_DRAFT', '/settings NOT_IN_DRAFT']]);
    expect((await put(2, {}, '?draft=true')).body.code).toBe('VERSION_CONFLICT');
    expect((await put(1, { survey: {} }, '?draft=true')).body.code).toBe('INVALID_DEFINITION');
    expect((await get()).has_draft).toBe(false);
  });

  it('can be discarded', async () => {
    const { put, call, pathOf, get } = await makeSurvey();
    expect((await call('DELETE', pathOf('/draft'))).body.code).toBe('DRAFT_NOT_FOUND');
    await put(1, titled('Dinner'), '?draft=true');
    const stale = await call('DELETE', pathOf('/draft'), { headers: { 'if-match': '"1"' } });
    expect(stale.status).toBe(412);
    expect((await call('DELETE', pathOf('/draft'))).status).toBe(204);
    expect(await get()).toMatchObject({ has_draft: false, definition: { title: 'Lunch' } });
  });
});

describe('the JSON Schema of answers', () => {
  it('belongs to a version, and is sent again only when it changed', async () => {
    const { put, call, pathOf } = await makeSurvey();
    const question = { id: 'taste', type: 'rating', title: 'How was it?', required: true };
    await put(1, { survey: { title: 'Lunch', supported_languages: ['en'], pages: [{ questions: [question] }] } });
    const { status, body, headers } = await call('GET', pathOf('/versions/2/answer-schema'));
    expect([status, body]).toMatchObject([
      200,
      { required: ['taste'], properties: { taste: { title: 'How was it?' } } },
    ]);
    const isValid = new Ajv2020({ strict: false }).compile(body);
    expect([{ taste: 5 }, { taste: 6 }, {}, { smell: 1 }].map((data) => isValid(data))).toEqual([
      true,
      false,
      false,
      false,
    ]);

    const known = { 'if-none-match': headers.get('etag') ?? '' };
    expect((await call('GET', pathOf('/versions/2/answer-schema'), { headers: known })).status).toBe(304);
    expect((await call('GET', pathOf('/versions/1/answer-schema'), { headers: known })).status).toBe(200);
    expect((await call('GET', pathOf('/versions/3/answer-schema'))).body.code).toBe('VERSION_NOT_FOUND');
  });
});

describe('versions', () => {
  it('are listed newest first, with pagination, without definitions', async () => {
    const { call, pathOf, put, act } = await makeSurvey();
    await act('publish');
    for (let version = 1; version < 12; version += 1) await put(version, titled(`Lunch ${version + 1}`));
    const seen: number[] = [];
    let path: string | undefined = pathOf('/versions?limit=5');
    while (path !== undefined) {
      const page: Awaited<ReturnType<typeof call>> = await call('GET', path);
      for (const version of page.body) {
        expect(version).not.toHaveProperty('definition');
        expect(version).toMatchObject({
          schema_version: '1.0',
          created_by: 'user-1',
          published_at: expect.any(String),
          published_by: 'user-1',
        });
        seen.push(version.version);
      }
      path = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    const third = await call('GET', pathOf('/versions/3'));
    expect(third.body).toMatchObject({ version: 3, definition: { title: 'Lunch 3' } });
    expect((await call('GET', pathOf('/versions/3'))).headers.get('etag')).toBe(third.headers.get('etag'));
  });

  it('change their ETag when they go live', async () => {
    const { call, pathOf, act } = await makeSurvey();
    const etag = async () => (await call('GET', pathOf('/versions/1'))).headers.get('etag');
    const before = await etag();
    await act('publish');
    expect(await etag()).not.toBe(before);
  });

  it.each(['0', '2', '01', '1e0', 'x', '99999999999'])('do not include %s', async (version) => {
    const { call, pathOf } = await makeSurvey();
    const rejected = await call('GET', pathOf(`/versions/${version}`));
    expect([rejected.status, rejected.body.code]).toEqual([404, 'VERSION_NOT_FOUND']);
  });

  it.each(['limit=0', 'limit=1001', 'cursor=x'])('cannot be listed with %s', async (query) => {
    const { call, pathOf } = await makeSurvey();
    expect((await call('GET', pathOf(`/versions?${query}`))).status).toBe(400);
  });
});
