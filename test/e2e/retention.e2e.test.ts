import { poll } from '@survey/runtime/testing/poll';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { type Api, createTenant } from '../support/platform.ts';

const DAY_MS = 24 * 60 * 60_000;

let client: MongoClient;
let api: Api;

beforeAll(async () => {
  client = await new MongoClient(inject('stack').mongodb_uri).connect();
  ({ api } = await createTenant());
});
afterAll(() => client.close());

const database = (service: string): Db => client.db(`survey-${service}`);
const ago = (days: number) => new Date(Date.now() - days * DAY_MS);

/** Makes the retention check all surveys now instead of once per hour. */
async function walk(): Promise<void> {
  const walks = database('response').collection<{ completed_at: Date | null }>('survey_walks');
  const last = await poll(() => walks.findOne({ completed_at: { $ne: null } }));
  await walks.updateOne({}, { $set: { next_at: new Date(0) } });
  await poll(() => walks.findOne({ completed_at: { $gt: last.completed_at ?? new Date() } }));
}

async function makeSurvey(settings: object): Promise<string> {
  const { body } = await api('POST', '/v1/surveys', { body: { ...lunchSurvey, settings } });
  expect((await api('POST', `/v1/surveys/${body.id}/publish`)).status).toBe(200);
  return body.id;
}
const submit = async (surveyId: string): Promise<string> =>
  (await api('POST', `/v1/surveys/${surveyId}/responses`, { body: { data: lunchAnswers } })).body.id;
const statusOf = async (id: string) => (await api('GET', `/v1/responses/${id}`)).status;

describe('responses', () => {
  it('are deleted after their retention, and with a purged survey', async () => {
    const [limited, unlimited] = [await makeSurvey({ retention_days: 7 }), await makeSurvey({})];
    const [old, young, kept] = [await submit(limited), await submit(limited), await submit(unlimited)];
    const responses = database('response').collection<{ _id: string; survey_id: string }>('responses');
    await responses.updateMany({ _id: { $in: [old, kept] } }, { $set: { created_at: ago(8) } });
    await walk();
    expect([await statusOf(old), await statusOf(young), await statusOf(kept)]).toEqual([404, 200, 200]);

    expect((await api('DELETE', `/v1/surveys/${limited}`)).status).toBe(204);
    const surveys = database('survey').collection<{ _id: string }>('surveys');
    await surveys.updateOne({ _id: limited }, { $set: { deleted_at: ago(31) } });
    await poll(async () => (await surveys.findOne({ _id: limited, deleted_at: { $ne: null } })) === null);
    expect((await api('POST', `/v1/surveys/${limited}/restore`)).body.code).toBe('SURVEY_NOT_FOUND');
    await walk();
    expect(await responses.countDocuments({ survey_id: limited })).toBe(0);
    await walk();
    const definitions = database('response').collection('definitions');
    expect(await definitions.countDocuments({ survey_id: { $in: [limited, unlimited] } })).toBe(1);
    expect(await statusOf(kept)).toBe(200);
  });
});
