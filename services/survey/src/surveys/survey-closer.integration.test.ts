import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSurveyService, type TestSurveyService } from '../testing/test-survey-service.ts';

let service: TestSurveyService;

beforeAll(async () => {
  service = await startTestSurveyService();
});

afterAll(() => service.close());

const soon = () => new Date(Date.now() + 300).toISOString();

describe('closes_at', () => {
  it('closes active surveys as the service, and no others', async () => {
    const { call, createSurvey } = service.tenant();
    const closesAt = soon();
    const settings = { closes_at: closesAt };
    const [due, draft, deleted] = [
      await createSurvey({ settings }),
      await createSurvey({ settings }),
      await createSurvey(),
    ];
    await call('POST', `/v1/surveys/${deleted}/publish`);
    await call('DELETE', `/v1/surveys/${deleted}`);
    // Set a past time directly, because the survey cannot be published with one.
    const surveys = service.db.collection<{ _id: string }>('surveys');
    await surveys.updateOne({ _id: deleted }, { $set: { 'settings.closes_at': new Date(closesAt) } });
    // closes_at may have passed during the test setup.
    await call('PATCH', `/v1/surveys/${due}`, { body: { settings: { closes_at: null } } });
    await call('POST', `/v1/surveys/${due}/publish`);
    await call('PATCH', `/v1/surveys/${due}`, { body: { settings } });
    const closed = await poll(async () => {
      const { body } = await call('GET', `/v1/surveys/${due}`);
      return body.status === 'closed' && body;
    });
    expect(closed.updated_by).toBe('survey');
    expect(closed.updated_at >= closesAt).toBe(true);
    expect((await call('GET', `/v1/surveys/${draft}`)).body).toMatchObject({ status: 'draft', updated_by: 'user-1' });
    expect(await surveys.findOne({ _id: deleted })).toMatchObject({ status: 'active', updated_by: 'user-1' });
  });

  it('that was postponed closes nothing; after closes_at a survey cannot be published', async () => {
    const { call, createSurvey } = service.tenant();
    const [late, other] = [await createSurvey(), await createSurvey()];
    const act = async (id: string, settings: object) => call('PATCH', `/v1/surveys/${id}`, { body: { settings } });
    await act(late, { closes_at: '2026-01-01T00:00:00Z' });
    const rejected = await call('POST', `/v1/surveys/${late}/publish`);
    expect([rejected.status, rejected.body.code]).toEqual([409, 'STATE_CONFLICT']);
    expect(rejected.body.detail).toContain('closes_at');
    await act(late, { closes_at: '2999-01-01T00:00:00Z' });
    expect((await call('POST', `/v1/surveys/${late}/publish`)).status).toBe(200);
    // Wait until the worker has closed another survey.
    await call('POST', `/v1/surveys/${other}/publish`);
    await act(other, { closes_at: soon() });
    await poll(async () => (await call('GET', `/v1/surveys/${other}`)).body.status === 'closed');
    expect((await call('GET', `/v1/surveys/${late}`)).body.status).toBe('active');
  });

  it('is found by an index', async () => {
    const due = { status: 'active', deleted_at: null, 'settings.closes_at': { $type: 'date', $lte: new Date() } };
    const plan = await service.db
      .collection('surveys')
      .find(due)
      .sort({ 'settings.closes_at': 1, _id: 1 })
      .explain('queryPlanner');
    const text = JSON.stringify(plan['queryPlanner'].winningPlan);
    expect(text).toContain('"indexName":"due"');
    expect(text).not.toMatch(/COLLSCAN|"SORT"/);
  });
});
