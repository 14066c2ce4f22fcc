import { randomUUID } from 'node:crypto';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startResponseApp, type TestApp, watchReads } from '../testing/response-app.ts';
import { testDefinition } from '../testing/test-definition.ts';
import { endWindows } from '../testing/test-stores.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const permissions = ['responses:read', 'responses:write', 'responses:delete'];
const summaryOf = (surveyId: string, tenantId: string, query = '') =>
  app.call('GET', `/v1/surveys/${surveyId}/summary${query}`, { tenantId, permissions });

describe('GET /v1/surveys/{survey_id}/summary', () => {
  it('contains statistics of all answers', async () => {
    const { surveyId, tenantId } = app.survey.add();
    for (const taste of [5, 2]) await app.submit(surveyId, { data: { ate: 'yes', taste, age: '30' } });
    await app.submit(surveyId, { data: { ate: 'no', comment: 'x' } });
    await app.submit(surveyId, { data: { ate: 'no', comment: 'spam' } });
    const { status, body } = await summaryOf(surveyId, tenantId);
    expect(status).toBe(200);
    const numbers = { mean: 3.5, median: 3.5, stddev: 1.5, min: 2, max: 5 };
    const empty = { options: [], rows: [], histogram: [], periods: [], columns: [] };
    const placed = { page: 1, versions: [1], other_versions: [] };
    const bin = (number: number, count: number) => ({ from: number, to: number, count });
    expect(body).toEqual({
      responses: 3,
      by_day: [{ day: new Date().toISOString().slice(0, 10), count: 3 }],
      questions: [
        {
          ...empty,
          ...placed,
          question_id: 'ate',
          type: 'single_choice',
          title: 'Did you eat?',
          ...{ answered: 3, skipped: 0, shown: 3, unanswered: 0, not_shown: 0 },
          options: [
            { id: 'yes', count: 2, share: 2 / 3, text: 'yes' },
            { id: 'no', count: 1, share: 1 / 3, text: 'no' },
          ],
        },
        {
          ...empty,
          ...placed,
          question_id: 'taste',
          type: 'rating',
          title: 'How was it?',
          ...{ answered: 2, skipped: 1, shown: 2, unanswered: 0, not_shown: 1 },
          ...numbers,
          histogram: [bin(1, 0), bin(2, 1), bin(3, 0), bin(4, 0), bin(5, 1)],
        },
        {
          ...empty,
          ...placed,
          question_id: 'comment',
          type: 'textarea',
          title: 'Anything else?',
          ...{ answered: 1, skipped: 2, shown: 3, unanswered: 2, not_shown: 0 },
        },
        {
          ...empty,
          ...placed,
          question_id: 'age',
          type: 'text',
          title: 'How old are you?',
          ...{ answered: 2, skipped: 1, shown: 3, unanswered: 1, not_shown: 0 },
          ...{ mean: 30, median: 30, stddev: 0, min: 30, max: 30, histogram: [bin(30, 2)] },
        },
      ],
      drop_off: [],
      timeline: [],
      versions: [1],
      survey_version: 1,
      pages: [{ page: 1, reached: 4, stopped: 0 }],
      completion: { started: 4, completed: 3, disqualified: 1, in_progress: 0, abandoned: 0 },
    });
  });

  it('has all questions of a survey without responses', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const { body } = await summaryOf(surveyId, tenantId);
    expect(body).toMatchObject({ responses: 0, by_day: [], drop_off: [] });
    expect(body.questions.map(({ answered, skipped }: Record<string, number>) => [answered, skipped])).toEqual(
      Array(4).fill([0, 0]),
    );
  });

  it('contains the questions at which unfinished responses stopped', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const { body: begun } = await app.submit(surveyId, { data: { ate: 'yes', taste: 3 } });
    await app.responses.updateOne({ _id: begun.id }, { $set: { status: 'abandoned', completed_at: null } });
    expect((await summaryOf(surveyId, tenantId)).body).toMatchObject({
      responses: 0,
      drop_off: [{ question_id: 'taste', count: 1 }],
    });
  });

  it('reflects every submission, correction and deletion immediately', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const taste = async () => (await summaryOf(surveyId, tenantId)).body.questions[1];
    const { body: first } = await app.submit(surveyId, { data: { ate: 'yes', taste: 1 } });
    expect(await taste()).toMatchObject({ answered: 1, mean: 1 });
    await app.submit(surveyId, { data: { ate: 'yes', taste: 5 } });
    expect(await taste()).toMatchObject({ answered: 2, mean: 3 });
    const path = `/v1/responses/${first.id}`;
    expect((await app.call('PATCH', path, { tenantId, permissions, body: { data: { taste: 3 } } })).status).toBe(200);
    expect(await taste()).toMatchObject({ answered: 2, mean: 4 });
    expect((await app.call('DELETE', path, { tenantId, permissions })).status).toBe(204);
    expect(await taste()).toMatchObject({ answered: 1, mean: 5 });
  });

  it('is cached while nothing changes', async () => {
    const { surveyId, tenantId } = app.survey.add();
    await app.submit(surveyId, { data: { ate: 'no' } });
    await endWindows(app.db);
    const before = await summaryOf(surveyId, tenantId);
    const reads = await watchReads(app.db, tenantId);
    const again = await Promise.all(Array.from({ length: 10 }, () => summaryOf(surveyId, tenantId)));
    for (const { body } of again) expect(body).toEqual(before.body);
    expect(await reads.stop()).toBe(0);
  });

  it('and the count reflect the next write after a long pause', async () => {
    const { surveyId, tenantId } = app.survey.add();
    await app.submit(surveyId, { data: { ate: 'no' } });
    // Restart the process, because by its own clocks its write windows are still open.
    await app.restart();
    await endWindows(app.db);
    const counted = async () => [
      (await summaryOf(surveyId, tenantId)).body.responses,
      (await app.call('GET', `/v1/surveys/${surveyId}/responses/count`, { tenantId })).body.count,
      (await app.call('GET', `/v1/surveys/${surveyId}/responses/count?language=de`, { tenantId })).body.count,
    ];
    expect([await counted(), await counted()]).toEqual([
      [1, 1, 0],
      [1, 1, 0],
    ]);
    await app.submit(surveyId, { data: { ate: 'no' }, language: 'de' });
    expect(await counted()).toEqual([2, 2, 1]);
  });

  it('reflects a new version of the survey', async () => {
    const { surveyId, tenantId } = app.survey.add();
    await app.submit(surveyId, { data: { ate: 'no', comment: 'x' } });
    await summaryOf(surveyId, tenantId);
    const questions = [{ id: 'fresh', type: 'rating', title: 'New?' }];
    app.survey.set(surveyId, { version: 2, definition: { ...testDefinition, logic: [], pages: [{ questions }] } });
    await poll(async () => (await summaryOf(surveyId, tenantId)).body.questions[0].question_id === 'fresh');
    const { body } = await summaryOf(surveyId, tenantId);
    expect(body.questions.map(({ question_id }: { question_id: string }) => question_id)).toEqual([
      'fresh',
      'ate',
      'taste',
      'comment',
      'age',
    ]);
  });

  it('counts the days of a time zone', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const { body } = await app.submit(surveyId, { data: { ate: 'no' } });
    const completed_at = new Date('2024-05-01T23:30:00Z');
    await app.responses.updateOne({ _id: body.id }, { $set: { completed_at } });
    const daysIn = async (query: string) => (await summaryOf(surveyId, tenantId, query)).body.by_day;
    expect(await daysIn('')).toEqual([{ day: '2024-05-01', count: 1 }]);
    expect(await daysIn('?tz=Europe/Berlin')).toEqual([{ day: '2024-05-02', count: 1 }]);
  });

  it('is rejected for an unknown time zone, and for other tenants', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const rejected = await summaryOf(surveyId, tenantId, '?tz=Nowhere/Else');
    expect(rejected).toMatchObject({ status: 400, body: { errors: [{ path: '?tz', code: 'UNKNOWN_TIME_ZONE' }] } });
    expect(await summaryOf(surveyId, randomUUID())).toMatchObject({ status: 404, body: { code: 'SURVEY_NOT_FOUND' } });
  });
});
