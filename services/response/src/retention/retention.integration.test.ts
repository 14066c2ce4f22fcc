import { randomUUID } from 'node:crypto';
import { topics } from '@survey/proto/catalog';
import { readEvent } from '@survey/runtime/kafka/event-message';
import { createTestKafka } from '@survey/runtime/testing/kafka/test-kafka';
import { poll } from '@survey/runtime/testing/poll';
import { BSON } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFileSurvey, fileAnswer } from '../testing/file-survey.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';
import { submitResponse } from '../testing/submitted-response.ts';
import type { SurveyWalkDocument } from './retention-store.ts';

const DAY_MS = 24 * 60 * 60_000;
const answers = { status: 'completed', data: { ate: 'no' } };

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const walks = () => app.db.collection<SurveyWalkDocument>('survey_walks');

/** Makes the next walk due. Returns the end of the last walk. */
async function begin(): Promise<Date> {
  const { completed_at } = await poll(() => walks().findOne({ completed_at: { $ne: null } }));
  await walks().updateOne({}, { $set: { next_at: new Date(0) } });
  return completed_at ?? new Date();
}
const untilAfter = (last: Date) => poll(() => walks().findOne({ completed_at: { $gt: last } }));
const walk = async () => untilAfter(await begin());

const age = (id: string, days: number) =>
  app.responses.updateOne({ _id: id }, { $set: { created_at: new Date(Date.now() - days * DAY_MS) } });
const isStored = async (id: string) =>
  (await app.responses.findOne({ _id: id, survey_id: { $exists: true } })) !== null;
const listOf = ({ surveyId, tenantId }: { surveyId: string; tenantId: string }) =>
  app.call('GET', `/v1/surveys/${surveyId}/responses`, { tenantId });

describe('retention_days of a survey', () => {
  it('deletes older responses, which are gone from all reads and cannot be stored again', async () => {
    const survey = app.survey.add({ settings: { retentionDays: 7 } });
    const { surveyId, tenantId } = survey;
    const key = { 'idempotency-key': randomUUID() };
    const submitted = [await app.submit(surveyId, answers, key), await app.submit(surveyId, answers)];
    expect(submitted).toMatchObject([{ status: 201 }, { status: 201 }]);
    const [old, young] = submitted.map(({ body }) => body);
    const unlimited = await submitResponse(app);
    await age(old.id, 8);
    await age(young.id, 6);
    await age(unlimited.id, 900);
    const count = async () =>
      (await app.call('GET', `/v1/surveys/${surveyId}/responses/count`, { tenantId })).body.count;
    expect(await count()).toBe(2);

    await walk();
    expect((await listOf(survey)).body).toMatchObject([{ id: young.id }]);
    expect(await count()).toBe(1);
    expect((await app.call('GET', `/v1/responses/${old.id}`, { tenantId })).body.code).toBe('RESPONSE_NOT_FOUND');
    expect((await app.submit(surveyId, answers, key)).body.code).toBe('RESPONSE_DELETED');
    expect((await unlimited.read()).status).toBe(200);
    expect(await app.metrics()).toMatch(/^responses_deleted_total\{.*cause="retention".*\} [1-9]/m);
    const last = /^retention_last_completed_timestamp_seconds(?:\{.*\})? ([\d.]+)/m.exec(await app.metrics());
    expect(Date.now() / 1_000 - Number(last?.[1])).toBeLessThan(60);
  });

  it('publishes an event for each deletion, and frees its seat', async () => {
    const { surveyId } = app.survey.add({ settings: { retentionDays: 7, responseLimit: 1 } });
    const { id } = (await app.submit(surveyId, answers)).body;
    expect((await app.submit(surveyId, answers)).body.code).toBe('RESPONSE_LIMIT_REACHED');
    await age(id, 8);
    await walk();
    const published = await createTestKafka().readTopic(topics.response, 3, ({ key }) => key?.toString() === id);
    expect(published.map(readEvent).map(({ type, data }) => [type, data['response_id']])).toEqual([
      ['response.submitted', id],
      ['survey.limit_reached', id],
      ['response.deleted', id],
    ]);
    // A survey may be full for another second.
    await poll(async () => (await app.submit(surveyId, answers)).status === 201);
  });

  it('is the current one, even if it was changed during an outage of the survey service', async () => {
    const given = await submitResponse(app);
    app.survey.set(given.surveyId, { settings: { retentionDays: 7 } });
    await age(given.id, 8);
    let begun = new Date();
    await app.withoutSurvey(async () => {
      begun = await begin();
      app.survey.set(given.surveyId, { settings: { retentionDays: 9 } });
    });
    await untilAfter(begun);
    expect((await given.read()).status).toBe(200);
    app.survey.set(given.surveyId, { settings: { retentionDays: 7 }, status: 'deleted' });
    await walk();
    expect(await isStored(given.id)).toBe(false);
  });

  it('deletes nothing of a survey with a wrong tenant', async () => {
    const given = await submitResponse(app);
    await age(given.id, 8);
    app.survey.set(given.surveyId, { settings: { retentionDays: 7 }, tenantId: randomUUID() });
    await walk();
    expect(await isStored(given.id)).toBe(true);
    app.survey.set(given.surveyId, { isPurged: true });
    await walk();
    expect(await isStored(given.id)).toBe(true);
  });
});

describe('a purged survey', () => {
  /** Names of the collections that contain a text anywhere, including in unpublished events. */
  async function collectionsNaming(text: string): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const collection of await app.db.collections())
      for await (const document of collection.find())
        if (Buffer.from(BSON.serialize(document)).includes(text)) found.add(collection.collectionName);
    return [...found].sort();
  }

  it('loses its responses, files, links and all other data, and other surveys of its tenant do not', async () => {
    const survey = addFileSurvey(app, {}, { settings: { responseLimit: 9 } });
    const { surveyId, tenantId } = survey;
    const other = app.survey.add({ tenantId });
    const { slug } = app.survey.addLink(survey.survey);
    const throughLink = () => app.call('POST', `/v1/public/links/${slug}/responses`, { body: { data: { name: 'x' } } });
    expect((await throughLink()).status).toBe(201);
    expect((await survey.submit({ cv: fileAnswer(await survey.store()) })).status).toBe(201);
    const begun = await survey.submit({ name: 'x' }, { 'idempotency-key': randomUUID() }, { status: 'in_progress' });
    expect(begun.status).toBe(201);
    await survey.store();
    const kept = (await app.submit(other.surveyId, answers)).body;
    const filled = ['definitions', 'files', 'ledgers', 'links', 'responses', 'write_windows'];
    expect(await collectionsNaming(surveyId)).toEqual(expect.arrayContaining(filled));

    app.survey.set(surveyId, { status: 'deleted', isPurged: true });
    app.survey.removeLink(slug);
    await walk();
    await walk();
    await poll(async () => (await collectionsNaming(surveyId)).length === 0);
    expect(await survey.countDocuments()).toEqual([0, 0]);
    expect((await listOf(survey)).body.code).toBe('SURVEY_NOT_FOUND');
    expect((await survey.submit({ name: 'x' })).body.code).toBe('SURVEY_NOT_FOUND');
    expect((await throughLink()).status).toBe(404);
    expect((await listOf(other)).body).toMatchObject([{ id: kept.id }]);
    expect(await app.metrics()).toMatch(/^responses_deleted_total\{.*cause="purge".*\} 3$/m);
  });
});
