import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { callOptionsFor } from '@survey/runtime/rpc/service-client';
import { itServesDefinitions } from '@survey/runtime/testing/contracts/definition-service-contract';
import { itFindsSurveys } from '@survey/runtime/testing/contracts/survey-lookup-contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSurveyService, type TestSurveyService, testPayload } from './testing/test-survey-service.ts';

let service: TestSurveyService;

beforeAll(async () => {
  service = await startTestSurveyService();
});

afterAll(() => service.close());

describe('the survey service', () => {
  itServesDefinitions(() => service.connections);
  itFindsSurveys(() => ({
    connection: service.connections.webhook,
    addSurvey: (tenantId) => service.tenant(tenantId).createSurvey(),
    async deleteSurvey(tenantId, id) {
      await service.tenant(tenantId).call('DELETE', `/v1/surveys/${id}`);
    },
  }));
});

describe('GetDefinition', () => {
  const ask = (
    surveyId: string,
    which: { version?: number; knownVersion?: number; withPublishedVersions?: boolean } = {},
  ) => service.definitions.getDefinition({ surveyId, ...which }, callOptionsFor({}));
  const titled = (version: number) => ({
    ...testPayload,
    version,
    survey: { ...testPayload.survey, title: `v${version}` },
  });

  it('returns the latest version by default, and whether a version is or was live', async () => {
    const { call, createSurvey, id: tenantId } = service.tenant();
    const surveyId = await createSurvey();
    const at = `/v1/surveys/${surveyId}`;
    expect(await ask(surveyId)).toMatchObject({ version: 1, latestVersion: 1, wasLive: false, status: 'draft' });
    await call('PUT', at, { body: titled(1) });
    await call('POST', `${at}/publish`);
    await call('PUT', at, { body: titled(2) });
    expect(await ask(surveyId)).toMatchObject({
      tenantId,
      version: 3,
      latestVersion: 3,
      wasLive: true,
      status: 'active',
      definition: { title: 'v2' },
    });
    const expected = { tenantId, latestVersion: 3, status: 'active', schemaVersion: '1.0' };
    expect(await ask(surveyId, { version: 1 })).toMatchObject({ ...expected, version: 1, wasLive: false });
    const second = { ...expected, version: 2, wasLive: true, definition: { title: 'v1' } };
    expect(await ask(surveyId, { version: 2 })).toMatchObject(second);
    await call('POST', `${at}/close`);
    await call('PUT', at, { body: titled(3) });
    expect(await ask(surveyId)).toMatchObject({ version: 4, wasLive: false, status: 'closed' });
    expect(await ask(surveyId, { version: 3 })).toMatchObject({ wasLive: true, latestVersion: 4 });
    expect((await ask(surveyId, { withPublishedVersions: true })).publishedVersions).toEqual([3, 2]);
    expect((await ask(surveyId)).publishedVersions).toEqual([]);
  });

  it('omits only the definition that the caller has', async () => {
    const { call, createSurvey } = service.tenant();
    const surveyId = await createSurvey();
    await call('PUT', `/v1/surveys/${surveyId}`, { body: titled(1) });
    expect((await ask(surveyId, { knownVersion: 2 })).definition).toBeUndefined();
    expect((await ask(surveyId, { version: 1, knownVersion: 1 })).definition).toBeUndefined();
    expect((await ask(surveyId, { knownVersion: 1 })).definition).toMatchObject({ title: 'v1' });
    expect((await ask(surveyId, { version: 1, knownVersion: 2 })).definition).toEqual(testPayload.survey);
  });

  it('returns the current settings, and that a survey is deleted', async () => {
    const { call, createSurvey } = service.tenant();
    const settings = { closes_at: '2999-01-01T00:00:00Z', response_limit: 5 };
    const surveyId = await createSurvey({ settings });
    expect((await ask(surveyId)).settings).toMatchObject({
      closesAt: timestampFromDate(new Date(settings.closes_at)),
      responseLimit: 5,
      access: 'open',
    });
    await call('PATCH', `/v1/surveys/${surveyId}`, { body: { settings: { access: 'links_only', closes_at: null } } });
    const { settings: changed } = await ask(surveyId, { version: 1 });
    expect(changed).toMatchObject({ responseLimit: 5, access: 'links_only' });
    expect(changed?.closesAt).toBeUndefined();
    await call('DELETE', `/v1/surveys/${surveyId}`);
    expect(await ask(surveyId)).toMatchObject({ status: 'deleted', definition: testPayload.survey });
  });

  it('does not find an unknown version', async () => {
    const surveyId = await service.tenant().createSurvey();
    await expect(ask(surveyId, { version: 2 })).rejects.toMatchObject({ code: 'VERSION_NOT_FOUND' });
    await expect(ask(randomUUID(), { version: 1 })).rejects.toMatchObject({ code: 'SURVEY_NOT_FOUND' });
    await expect(ask(surveyId, { version: 0 })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
