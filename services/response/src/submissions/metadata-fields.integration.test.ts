import { randomUUID } from 'node:crypto';
import { ResponseImportService } from '@survey/proto/survey/responses/v1/response_import_service_pb';
import type { MetadataField } from '@survey/questionnaire/metadata/metadata-fields';
import { callOptionsFor } from '@survey/runtime/rpc/service-client';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const metadataFields: readonly MetadataField[] = [
  { name: 'campaign', type: 'string', max_length: 9, from: ['url', 'link', 'api'] },
  { name: 'points', type: 'number', from: ['url'] },
  { name: 'tier', type: 'string', from: ['token'] },
  { name: 'segment', type: 'string', from: ['api'] },
];
const data = { ate: 'yes', taste: 4 };

type TestSurvey = ReturnType<TestApp['survey']['add']>;
interface Begun {
  readonly id: string;
  readonly resume_token: string;
}

const addSurvey = () => app.survey.add({ settings: { metadataFields } });
const begin = async ({ surveyId }: TestSurvey, metadata: object = {}): Promise<Begun> =>
  (await app.submit(surveyId, { status: 'in_progress', data, metadata })).body;
const save = ({ id, resume_token }: Begun, body: unknown) =>
  app.call('PATCH', `/v1/public/responses/${id}`, { headers: { 'resume-token': resume_token }, body });
const create = ({ surveyId, tenantId }: TestSurvey, metadata: object) =>
  app.call('POST', `/v1/surveys/${surveyId}/responses`, { tenantId, body: { data, metadata } });
const correct = ({ tenantId }: TestSurvey, id: string, metadata: unknown) =>
  app.call('PATCH', `/v1/responses/${id}`, { tenantId, body: { metadata } });
const metadataOf = async ({ tenantId }: TestSurvey, id: string) =>
  (await app.call('GET', `/v1/responses/${id}`, { tenantId })).body.metadata;

const codesOf = ({ status, body }: Awaited<ReturnType<TestApp['call']>>) => [
  status,
  body.code,
  ...body.errors.map(({ path, code }: Readonly<Record<string, string>>) => `${path} ${code}`),
];
const notAllowed = (path: string) => [422, 'METADATA_NOT_ALLOWED', `${path} METADATA_NOT_ALLOWED`];
const invalid = (...problems: readonly string[]) => [422, 'VALIDATION_FAILED', ...problems];

describe('metadata of a public response', () => {
  it('has declared fields in their types, and undeclared members unchanged', async () => {
    const survey = addSurvey();
    const given = { campaign: 'spring', points: '12.50', 'metadata.tier': 'x', Tier: 'y', more: { tier: 'z' } };
    const { body } = await app.submit(survey.surveyId, { data, metadata: given });
    expect(await metadataOf(survey, body.id)).toEqual({ ...given, points: 12.5 });
  });

  it.each([[{ tier: 'gold' }], [{ tier: null }], [{ tier: { gold: true } }]])(
    'cannot set or touch another field: %j',
    async (metadata) => {
      const survey = addSurvey();
      const { slug } = app.survey.addLink(survey);
      const body = { data, metadata };
      expect(codesOf(await app.submit(survey.surveyId, body))).toEqual(notAllowed('/metadata/tier'));
      const through = await app.call('POST', `/v1/public/links/${slug}/responses`, { body });
      expect(codesOf(through)).toEqual(notAllowed('/metadata/tier'));
      const begun = await begin(survey, { campaign: 'a' });
      expect(codesOf(await save(begun, { metadata }))).toEqual(notAllowed('/metadata/tier'));
      expect(await metadataOf(survey, begun.id)).toEqual({ campaign: 'a' });
      expect(await app.responses.countDocuments({ survey_id: survey.surveyId })).toBe(1);
    },
  );

  it('is reported with all its problems', async () => {
    const metadata = { campaign: 'too long for it', points: [], tier: 'x' };
    const rejected = await app.submit(addSurvey().surveyId, { data, metadata, language: 'xx' });
    expect(codesOf(rejected)).toEqual([
      422,
      'METADATA_NOT_ALLOWED',
      '/language UNDECLARED_LANGUAGE',
      '/metadata/campaign TOO_LONG',
      '/metadata/points WRONG_TYPE',
      '/metadata/tier METADATA_NOT_ALLOWED',
    ]);
    const wrong = await app.submit(addSurvey().surveyId, { data, metadata: { points: 'x' } });
    expect(codesOf(wrong)).toEqual(invalid('/metadata/points WRONG_TYPE'));
  });

  it('is saved by a merge patch, also with null', async () => {
    const survey = addSurvey();
    const begun = await begin(survey, { campaign: 'a', points: 1, other: 1 });
    expect((await save(begun, { metadata: { campaign: null, points: '2', other: null } })).status).toBe(200);
    expect(await metadataOf(survey, begun.id)).toEqual({ points: 2 });
    expect(codesOf(await save(begun, { metadata: { points: 'x' } }))).toEqual(invalid('/metadata/points WRONG_TYPE'));
    const last = { status: 'completed', metadata: { points: '3' } };
    const [first, again] = [await save(begun, last), await save(begun, last)];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
  });

  it('can be removed as a whole, unless it has a field from elsewhere', async () => {
    const survey = addSurvey();
    const [own, foreign] = [await begin(survey, { campaign: 'a' }), await begin(survey, { campaign: 'a' })];
    expect((await correct(survey, foreign.id, { tier: 'gold' })).status).toBe(200);
    expect((await save(own, { metadata: null })).status).toBe(200);
    expect(await metadataOf(survey, own.id)).toBeUndefined();
    expect(codesOf(await save(foreign, { metadata: null }))).toEqual(notAllowed('/metadata'));
    expect(await metadataOf(survey, foreign.id)).toEqual({ campaign: 'a', tier: 'gold' });
  });

  it('follows the current settings, and keeps stored values', async () => {
    const survey = addSurvey();
    const begun = await begin(survey, { campaign: 'spring', points: 1 });
    const changed = [{ name: 'campaign', type: 'number', from: ['url'] }] as const;
    app.survey.set(survey.surveyId, { settings: { metadataFields: changed } });
    const rejected = await poll(async () => {
      const reply = await save(begun, { metadata: { campaign: 'winter' } });
      return reply.status === 422 && reply;
    });
    expect(codesOf(rejected)).toEqual(invalid('/metadata/campaign WRONG_TYPE'));
    expect((await save(begun, { metadata: { points: 'now free' } })).status).toBe(200);
    expect(await metadataOf(survey, begun.id)).toMatchObject({ points: 'now free' });
  });
});

describe('metadata from a user of the tenant', () => {
  it('has the fields from the API, and no others', async () => {
    const survey = addSurvey();
    const { status, body } = await create(survey, { campaign: 'a', segment: 'b', other: 1 });
    expect([status, body.metadata]).toEqual([201, { campaign: 'a', segment: 'b', other: 1 }]);
    expect(codesOf(await create(survey, { points: 1 }))).toEqual(notAllowed('/metadata/points'));
    expect(codesOf(await create(survey, { segment: 1 }))).toEqual(invalid('/metadata/segment WRONG_TYPE'));
  });

  it('can correct each field, with valid values', async () => {
    const survey = addSurvey();
    const { body } = await create(survey, { campaign: 'a' });
    const { status, body: corrected } = await correct(survey, body.id, { tier: 'gold', points: '7', campaign: null });
    expect([status, corrected.metadata]).toEqual([200, { tier: 'gold', points: 7 }]);
    expect(codesOf(await correct(survey, body.id, { points: 'x' }))).toEqual(invalid('/metadata/points WRONG_TYPE'));
    expect((await correct(survey, body.id, null)).body).not.toHaveProperty('metadata');
  });

  it('is imported into each field, if it fits', async () => {
    const survey = addSurvey();
    const connection = await app.keys.connectAs('import', 'response', `127.0.0.1:${app.ports().grpcPort}`);
    const imported = [{ tier: 'gold', points: '7' }, { points: 'x' }];
    const responses = imported.map((metadata) => ({ id: randomUUID(), answers: JSON.stringify(data), metadata }));
    const { outcomes } = await connection
      .client(ResponseImportService)
      .storeImportedResponses(
        { surveyId: survey.surveyId, responses },
        callOptionsFor({ claims: { tenantId: survey.tenantId } }),
      );
    connection.close();
    expect(outcomes).toMatchObject([
      { outcome: 'imported' },
      { outcome: 'failed', code: 'WRONG_TYPE', path: '/metadata/points' },
    ]);
    expect(await metadataOf(survey, responses[0]?.id ?? '')).toEqual({ tier: 'gold', points: 7 });
  });
});
