import { randomUUID } from 'node:crypto';
import { AppError } from '@survey/runtime/errors/app-error';
import { BSON } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startImportApp, type TestApp } from './testing/import-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startImportApp();
});
afterEach(() => app.reset());
afterAll(() => app.close());

const answers = [{ question_id: 'colour', value: 'r' }];
const survey = {
  title: 'Lunch',
  questions: [{ id: 'colour', type: 'single_choice', title: 'Colour?', options: [{ id: 'r', text: 'Red' }] }],
};
const file = {
  source: 'custom',
  format: 'json',
  data: { survey, responses: [{ id: 'reply-of-anna', answers }, { answers }] },
  options: { preserve_ids: false },
};

/** Calls of one tenant with one key. */
function createCaller() {
  const [tenantId, key] = [randomUUID(), randomUUID()];
  const caller = { tenantId, headers: { 'idempotency-key': key } };
  return {
    tenantId,
    importSurvey: (change: object = {}, other: object = {}) =>
      app.post('/surveys/import', { ...file, ...change }, { ...caller, ...other }),
    importResponses: (surveyId: string, responses: unknown, other: object = {}) =>
      app.post(`/surveys/${surveyId}/responses/import`, { format: 'json', responses }, { ...caller, ...other }),
    makeSurvey: async (): Promise<string> =>
      (await app.post('/surveys/import', { ...file, data: { survey }, options: {} }, { tenantId })).body.id,
  };
}
const surveysOf = (tenantId: string) => [...app.fakes.surveys.values()].filter((one) => one.tenantId === tenantId);
const responsesOf = (tenantId: string) => [...app.fakes.responses.values()].filter((one) => one.tenantId === tenantId);

describe('a survey import with an idempotency key', () => {
  it('gets the first reply when repeated, and makes one survey', async () => {
    const { tenantId, importSurvey } = createCaller();
    const first = await importSurvey();
    expect([first.status, first.headers.get('idempotency-replayed'), first.body.import.imported]).toEqual([
      201,
      null,
      2,
    ]);
    const again = await importSurvey();
    expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([201, 'true', first.body]);
    for (const name of ['location', 'etag']) expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect([surveysOf(tenantId).length, responsesOf(tenantId).length]).toEqual([1, 2]);
    expect(await app.importsOf(tenantId)).toHaveLength(1);
  });

  it('is rejected with another file, or with other permissions', async () => {
    const { importSurvey } = createCaller();
    await importSurvey();
    const other = await importSurvey({ options: {} });
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    const weaker = await importSurvey({}, { permissions: ['surveys:import', 'responses:import', 'surveys:read'] });
    expect([weaker.status, weaker.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    const wrong = await importSurvey({}, { headers: { 'idempotency-key': 'a b' } });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('continues where the first attempt ended', async () => {
    const { tenantId, importSurvey } = createCaller();
    app.fakes.rejection = new AppError('UNAVAILABLE');
    expect((await importSurvey()).status).toBe(503);
    app.fakes.rejection = undefined;
    const again = await importSurvey();
    expect([again.status, again.headers.get('idempotency-replayed'), again.body.import.imported]).toEqual([
      201,
      null,
      2,
    ]);
    const statuses = (await app.importsOf(tenantId)).map(({ status }) => status);
    expect(statuses).toEqual(['failed', 'completed']);
  });

  it('makes one survey with the same new ids if the process dies before its reply', async () => {
    const { tenantId, importSurvey } = createCaller();
    const first = await importSurvey();
    // The state after the process died at this moment.
    await app.db.collection('idempotency_keys').updateMany({ tenant_id: tenantId }, { $set: { answer: null } });
    const again = await importSurvey();
    expect(again.body).toEqual({ ...first.body, import: expect.objectContaining({ imported: 0, skipped: 2 }) });
    expect([surveysOf(tenantId).length, responsesOf(tenantId).length]).toEqual([1, 2]);
  });

  it('makes one survey for two concurrent calls, which get the same reply', async () => {
    const { tenantId, importSurvey } = createCaller();
    const both = await Promise.all([importSurvey(), importSurvey()]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(both[0].body).toEqual(both[1].body);
    expect([surveysOf(tenantId).length, responsesOf(tenantId).length]).toEqual([1, 2]);
  });
});

describe('a response import with an idempotency key', () => {
  it('stores responses once, even without ids, and gets the first reply when repeated', async () => {
    const { tenantId, makeSurvey, importResponses } = createCaller();
    const surveyId = await makeSurvey();
    const first = await importResponses(surveyId, [{ answers }, { answers }, 'x']);
    expect([first.status, first.body.imported, first.body.failed]).toEqual([200, 2, 1]);
    const again = await importResponses(surveyId, [{ answers }, { answers }, 'x']);
    expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([200, 'true', first.body]);
    expect(responsesOf(tenantId)).toHaveLength(2);
    const other = await importResponses(surveyId, [{ answers }]);
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('stores new responses in another survey with the same key', async () => {
    const { tenantId, makeSurvey, importResponses } = createCaller();
    for (const surveyId of [await makeSurvey(), await makeSurvey()])
      expect((await importResponses(surveyId, [{ answers }])).body.imported).toBe(1);
    expect(responsesOf(tenantId)).toHaveLength(2);
  });

  it('stores responses once if the process dies before its reply', async () => {
    const { tenantId, makeSurvey, importResponses } = createCaller();
    const surveyId = await makeSurvey();
    await importResponses(surveyId, [{ answers }, { answers }]);
    await app.db.collection('idempotency_keys').updateMany({ tenant_id: tenantId }, { $set: { answer: null } });
    const again = await importResponses(surveyId, [{ answers }, { answers }]);
    expect(again.body).toMatchObject({ imported: 0, skipped: 2 });
    expect(responsesOf(tenantId)).toHaveLength(2);
  });

  it('stores no response again that was deleted since the first request', async () => {
    const { tenantId, makeSurvey, importResponses } = createCaller();
    const surveyId = await makeSurvey();
    const responses = [{ id: randomUUID(), answers }];
    await importResponses(surveyId, responses);
    await app.db.collection('idempotency_keys').updateMany({ tenant_id: tenantId }, { $set: { answer: null } });
    for (const key of app.fakes.responses.keys()) {
      if (!key.startsWith(surveyId)) continue;
      app.fakes.responses.delete(key);
      app.fakes.times.set(key, new Date());
    }
    expect((await importResponses(surveyId, responses)).body).toMatchObject({ imported: 0, skipped: 1 });
    const later = await importResponses(surveyId, responses, { headers: { 'idempotency-key': randomUUID() } });
    expect(later.body).toMatchObject({ imported: 1, skipped: 0 });
  });

  it('sends responses again if none could be stored', async () => {
    const { makeSurvey, importResponses } = createCaller();
    const surveyId = await makeSurvey();
    app.fakes.batchesUntilAway = 0;
    expect((await importResponses(surveyId, [{ answers }])).status).toBe(503);
    app.fakes.batchesUntilAway = undefined;
    const again = await importResponses(surveyId, [{ answers }]);
    expect([again.status, again.body.imported]).toEqual([200, 1]);
  });

  it('stores all responses each time without a key', async () => {
    const { tenantId, makeSurvey, importResponses } = createCaller();
    const surveyId = await makeSurvey();
    for (const _ of [1, 2]) await importResponses(surveyId, [{ answers }], { headers: {} });
    expect(responsesOf(tenantId)).toHaveLength(2);
  });
});

describe('the record of an import with an idempotency key', () => {
  it('has no content of the file', async () => {
    const { tenantId, importSurvey } = createCaller();
    await importSurvey();
    const kept = await app.db.collection('idempotency_keys').find({ tenant_id: tenantId }).toArray();
    const bytes = kept.map((document) => Buffer.from(BSON.serialize(document)).toString('latin1')).join('');
    expect(kept).toHaveLength(1);
    for (const word of ['Lunch', 'Colour', 'reply-of-anna']) expect(bytes).not.toContain(word);
  });
});
