import { randomUUID } from 'node:crypto';
import { callOptionsFor } from '@survey/runtime/rpc/service-client';
import { poll } from '@survey/runtime/testing/poll';
import { readAuditEvents } from '@survey/runtime/testing/read-audit-events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSurveyService, type TestSurveyService, testPayload } from '../testing/test-survey-service.ts';
import { makeSurveyOf } from './testing/made-survey.ts';

let service: TestSurveyService;

beforeAll(async () => {
  service = await startTestSurveyService();
});
afterAll(() => service.close());

const DAY_MS = 24 * 60 * 60_000;
const surveys = () => service.db.collection<{ _id: string }>('surveys');

/** Deletes a survey as if it was some days ago. */
async function deleteAgo({ call, pathOf, surveyId }: Awaited<ReturnType<typeof makeSurveyOf>>, days: number) {
  expect((await call('DELETE', pathOf())).status).toBe(204);
  await surveys().updateOne({ _id: surveyId }, { $set: { deleted_at: new Date(Date.now() - days * DAY_MS) } });
}

/** Waits until only the purge record is left. */
const untilPurged = (surveyId: string) =>
  poll(async () => {
    const purged = service.db.collection<{ _id: string; unfinished?: true }>('purged_surveys');
    const left = await purged.findOne({ _id: surveyId });
    return left !== null && left.unfinished === undefined && (await surveys().findOne({ _id: surveyId })) === null;
  });

describe('a survey that was deleted more than 30 days ago', () => {
  it('is purged with its versions and links; others are not', async () => {
    const [tenant, others] = [service.tenant(), service.tenant()];
    const project = (await tenant.call('POST', '/v1/projects', { body: { name: 'Canteen' } })).body;
    const old = await makeSurveyOf(tenant, { project_id: project.id, settings: { retention_days: 7 } });
    const recent = await makeSurveyOf(tenant, { settings: { retention_days: 8 } });
    const [live, theirs] = [await makeSurveyOf(tenant), await makeSurveyOf(others)];
    await old.act('publish');
    await old.put(1);
    await old.put(2, {}, '?draft=true');
    const slug = `s-${randomUUID()}`;
    const link = async ({ call, pathOf }: typeof old, body: object) =>
      (await call('POST', pathOf('/links'), { body })).status;
    expect([await link(old, { slug }), await link(live, {})]).toEqual([201, 201]);
    await deleteAgo(old, 31);
    await deleteAgo(recent, 29);
    await deleteAgo(theirs, 31);

    await Promise.all([untilPurged(old.surveyId), untilPurged(theirs.surveyId)]);
    for (const rest of ['', '/versions', '/versions/1', '/links'])
      expect([rest, (await tenant.call('GET', old.pathOf(rest))).body.code]).toEqual([rest, 'SURVEY_NOT_FOUND']);
    expect((await old.act('restore')).body).toMatchObject({ status: 404, code: 'SURVEY_NOT_FOUND' });
    const deleted = (await tenant.call('GET', '/v1/surveys?deleted=true')).body;
    expect(deleted.map(({ id }: { id: string }) => id)).toEqual([recent.surveyId]);
    expect((await recent.act('restore')).status).toBe(200);
    const counts = ['survey_versions', 'links'].map((name) =>
      Promise.all(
        [old, live].map(({ surveyId }) => service.db.collection(name).countDocuments({ survey_id: surveyId })),
      ),
    );
    expect(await Promise.all(counts)).toEqual([
      [0, 1],
      [0, 1],
    ]);

    // The project of the purged survey can be deleted, and the slug is free.
    expect((await tenant.call('DELETE', `/v1/projects/${project.id}`)).status).toBe(204);
    expect(await link(live, { slug })).toBe(201);
  });

  it('is reported as purged to other services', async () => {
    const tenant = service.tenant();
    const [old, recent] = [await makeSurveyOf(tenant), await makeSurveyOf(tenant, { settings: { retention_days: 8 } })];
    const surveyIds = [old.surveyId, randomUUID(), recent.surveyId];
    const ask = async () => {
      const { retentions } = await service.definitions.getRetentions({ surveyIds }, callOptionsFor({}));
      return Object.fromEntries(
        retentions.map(({ surveyId, tenantId, state, retentionDays }) => [
          surveyId,
          { tenantId, state, retentionDays },
        ]),
      );
    };
    await deleteAgo(old, 31);
    await deleteAgo(recent, 29);
    const kept = { tenantId: tenant.id, state: 'kept', retentionDays: 8 };
    expect((await ask())[recent.surveyId]).toEqual(kept);
    await untilPurged(old.surveyId);
    const gone = { tenantId: tenant.id, state: 'purged', retentionDays: undefined };
    expect(await ask()).toEqual({ [recent.surveyId]: kept, [old.surveyId]: gone });
    for (const version of [undefined, 1]) {
      const asked = { surveyId: old.surveyId, ...(version === undefined ? {} : { version }) };
      const rejected = service.definitions.getDefinition(asked, callOptionsFor({}));
      await expect(rejected).rejects.toMatchObject({ code: 'SURVEY_NOT_FOUND' });
    }
  });

  it('is in the audit with the service as actor', async () => {
    const tenant = service.tenant();
    const survey = await makeSurveyOf(tenant);
    await deleteAgo(survey, 31);
    await untilPurged(survey.surveyId);
    const reported = (await readAuditEvents(tenant.id, 3)).find(({ action }) => action === 'survey.purged');
    expect(reported).toMatchObject({ actor: 'survey', resource_type: 'survey', resource_id: survey.surveyId });
    expect(JSON.stringify(reported)).not.toContain(testPayload.survey.title);
  });
});

describe('purging', () => {
  it('finds deleted surveys by an index', async () => {
    const due = { deleted_at: { $type: 'date', $lt: new Date() } };
    const plan = await surveys().find(due).sort({ deleted_at: 1, _id: 1 }).explain('queryPlanner');
    const text = JSON.stringify(plan['queryPlanner'].winningPlan);
    expect(text).toContain('"indexName":"deleted"');
    expect(text).not.toMatch(/COLLSCAN|"SORT"/);
  });
});
