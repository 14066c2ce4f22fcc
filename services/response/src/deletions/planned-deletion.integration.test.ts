import { topics } from '@survey/proto/catalog';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { readEvent } from '@survey/runtime/kafka/event-message';
import { createTestKafka } from '@survey/runtime/testing/kafka/test-kafka';
import { poll } from '@survey/runtime/testing/poll';
import { readAuditEvents } from '@survey/runtime/testing/read-audit-events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestSurvey } from '../testing/fake-survey-service.ts';
import { addFileSurvey, fileAnswer } from '../testing/file-survey.ts';
import { newResponseDocument } from '../testing/new-response.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';
import { testDefinition } from '../testing/test-definition.ts';
import type { DeletionPlanDocument } from './deletion-plan-store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const permissions = ['responses:read', 'responses:write', 'responses:delete'];
const MARKER = 'marker-of-a-value';
const where = { conditions: [{ source_question: 'comment', operator: 'equals', value: MARKER }] };

function call(survey: TestSurvey, method: string, path: string, body?: unknown, granted = permissions) {
  const { surveyId, tenantId } = survey;
  const given = body === undefined ? {} : { body };
  return app.call(method, `/v1/surveys/${surveyId}/responses${path}`, { tenantId, permissions: granted, ...given });
}
const plan = (survey: TestSurvey, body: object = { where }) =>
  call(survey, 'POST', '/deletions', { dry_run: true, ...body });
const confirm = (survey: TestSurvey, planId: string, count: number) =>
  call(survey, 'POST', `/deletions/${planId}`, { expected_count: count });

async function submit({ surveyId }: TestSurvey, comment: string): Promise<string> {
  const { status, body } = await app.submit(surveyId, { data: { ate: 'no', comment } });
  expect([status, body]).toEqual([201, body]);
  return body.id;
}

/** A survey with two matching responses and another one. */
async function setUp() {
  const survey = app.survey.add({ definition: testDefinition });
  const first = await submit(survey, MARKER);
  const other = await submit(survey, 'fine');
  const second = await submit(survey, MARKER);
  const left = async () => (await call(survey, 'GET', '?order=asc')).body.map(({ id }: { readonly id: string }) => id);
  return { survey, first, other, second, left };
}

const eventTypesOf = async (tenantId: string, count: number) => {
  const messages = await createTestKafka().readTopic(
    topics.response,
    count,
    (message) => readEvent(message).tenantId === tenantId && readEvent(message).type === 'response.deleted',
  );
  return messages.map(readEvent);
};

describe('a plan', () => {
  it('counts the matching responses, and deletes nothing', async () => {
    const { survey, first, other, second, left } = await setUp();
    const { status, body } = await plan(survey);
    expect([status, body]).toEqual([
      200,
      {
        plan_id: expect.any(String),
        count: 2,
        sample_ids: [first, second],
        lacking_question: 0,
        expires_at: expect.any(String),
      },
    ]);
    const minutes = (new Date(body.expires_at).getTime() - Date.now()) / 60_000;
    expect([Math.ceil(minutes), await left()]).toEqual([60, [first, other, second]]);
  });

  it('takes the filters of counts, with conditions or without', async () => {
    const { survey } = await setUp();
    expect((await plan(survey, { where, status: 'in_progress' })).body).toMatchObject({ count: 0, sample_ids: [] });
    const { body } = await plan(survey, { status: 'completed' });
    expect(body).toMatchObject({ count: 3 });
    expect(body).not.toHaveProperty('lacking_question');
  });

  it('of all responses must say so', async () => {
    const { survey } = await setUp();
    const rejected = { status: 422, body: { code: 'VALIDATION_FAILED', errors: [{ path: '/all', code: 'REQUIRED' }] } };
    expect(await plan(survey, {})).toMatchObject(rejected);
    expect(await plan(survey, { where: { conditions: [] } })).toMatchObject({
      status: 422,
      body: { errors: [{ code: 'MISSING_CONDITIONS' }] },
    });
    expect((await plan(survey, { all: true })).body).toMatchObject({ count: 3 });
  });

  it('is only a plan', async () => {
    const { survey } = await setUp();
    for (const body of [{ where }, { where, dry_run: false }])
      expect(await call(survey, 'POST', '/deletions', body)).toMatchObject({
        status: 422,
        body: { errors: [{ path: '/dry_run' }] },
      });
  });

  it('has no value of a condition or filter', async () => {
    const { survey } = await setUp();
    await plan(survey, { where, language: MARKER });
    await plan(survey, { where: { conditions: [{ source: 'metadata.tag', operator: 'not_equals', value: MARKER }] } });
    const documents = await app.db.collection('deletion_plans').find({ survey_id: survey.surveyId }).toArray();
    expect(documents.map(({ outline }) => outline)).toMatchObject([
      { conditions: [{ question_id: 'comment', operator: 'equals' }], filters: ['language'] },
      { conditions: [{ source: 'metadata.tag', operator: 'not_equals' }], filters: [] },
    ]);
    expect(JSON.stringify(documents)).not.toContain(MARKER);
  });

  it('needs permissions to read and delete responses of the own tenant', async () => {
    const { survey, left } = await setUp();
    const { body } = await plan(survey);
    for (const missing of ['responses:read', 'responses:delete']) {
      const granted = permissions.filter((name) => name !== missing);
      const rejected = { status: 403, body: { detail: `Permission '${missing}' required` } };
      expect(await call(survey, 'POST', '/deletions', { where, dry_run: true }, granted)).toMatchObject(rejected);
      const confirmed = { expected_count: 2 };
      expect(await call(survey, 'POST', `/deletions/${body.plan_id}`, confirmed, granted)).toMatchObject(rejected);
    }
    const stranger = { ...survey, tenantId: 'stranger' };
    expect((await plan(stranger)).status).toBe(404);
    expect((await confirm(stranger, body.plan_id, 2)).status).toBe(404);
    const own = app.survey.add({ definition: testDefinition });
    for (const asked of [own, { ...own, tenantId: survey.tenantId, surveyId: survey.surveyId }])
      expect((await confirm(asked, own.surveyId, 2)).body).toMatchObject({ code: 'DELETION_PLAN_NOT_FOUND' });
    expect((await confirm(own, body.plan_id, 2)).body).toMatchObject({ code: 'DELETION_PLAN_NOT_FOUND' });
    expect(await left()).toHaveLength(3);
  });
});

describe('a confirmed plan', () => {
  it('deletes its responses like deletions by hand, with one audit event', async () => {
    const { survey, first, other, second, left } = await setUp();
    const before = await call(survey, 'GET', '/changes');
    const { body } = await plan(survey);
    const reply = await confirm(survey, body.plan_id, 2);
    expect([reply.status, reply.body]).toEqual([200, { deleted: 2, skipped: 0, remaining: 0, complete: true }]);
    expect(await left()).toEqual([other]);
    expect((await call(survey, 'GET', '/count')).body).toEqual({ count: 1 });

    const events = await eventTypesOf(survey.tenantId, 2);
    expect(events.map(({ data }) => data['response_id']).sort()).toEqual([first, second].sort());
    const { body: changes } = await call(survey, 'GET', `/changes?cursor=${before.body.next_cursor}`);
    expect(changes.changes.map(({ id, deleted }: Record<string, unknown>) => [id, deleted])).toEqual(
      expect.arrayContaining([first, second].map((id) => [id, true])),
    );
    const audited = await readAuditEvents(survey.tenantId, 1);
    expect(audited).toMatchObject([
      {
        action: 'responses.deleted',
        actor: 'user-1',
        resource_type: 'survey',
        resource_id: survey.surveyId,
        changes: [
          { path: '/count', after: 2 },
          { path: '/selection_hash', after: expect.stringMatching(/^[0-9a-f]{64}$/) },
          { path: '/conditions/0', after: { question_id: 'comment', operator: 'equals' } },
        ],
      },
    ]);
    expect(JSON.stringify(audited)).not.toContain(MARKER);

    // A repeated request changes nothing.
    expect((await confirm(survey, body.plan_id, 2)).body).toEqual(reply.body);
    await poll(async () => (await app.responses.countDocuments({ 'outbox.at': { $exists: true } })) === 0);
    const sentinel = await plan(survey, { all: true });
    await confirm(survey, sentinel.body.plan_id, 1);
    const later = JSON.stringify(await readAuditEvents(survey.tenantId, 2));
    for (const count of [1, 2]) expect(later).toContain(`{"path":"/count","before":null,"after":${count}}`);
  });

  it('skips responses that were changed or deleted since', async () => {
    const { survey, first, other, second, left } = await setUp();
    const third = await submit(survey, MARKER);
    const { body } = await plan(survey);
    const { tenantId } = survey;
    const ofFirst = { tenantId, permissions, body: { data: { comment: 'better' } } };
    expect((await app.call('PATCH', `/v1/responses/${first}`, ofFirst)).status).toBe(200);
    expect((await app.call('DELETE', `/v1/responses/${second}`, { tenantId, permissions })).status).toBe(204);
    const late = await submit(survey, MARKER);
    const progress = { deleted: 1, skipped: 2, remaining: 0, complete: true };
    expect((await confirm(survey, body.plan_id, 3)).body).toEqual(progress);
    expect(await left()).toEqual([first, other, late]);
    expect(await app.responses.findOne({ _id: third })).toMatchObject({ status: 'deleted' });
  });

  it('needs the count of the plan, within an hour', async () => {
    const { survey, left } = await setUp();
    const { body } = await plan(survey);
    expect(await confirm(survey, body.plan_id, 3)).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_FAILED', errors: [{ path: '/expected_count', code: 'OTHER_COUNT' }] },
    });
    expect((await call(survey, 'POST', `/deletions/${body.plan_id}`, {})).status).toBe(422);
    const plans = app.db.collection<DeletionPlanDocument>('deletion_plans');
    await plans.updateOne({ _id: body.plan_id }, { $set: { expires_at: new Date() } });
    expect(await confirm(survey, body.plan_id, 2)).toMatchObject({
      status: 404,
      body: { code: 'DELETION_PLAN_NOT_FOUND' },
    });
    expect(await left()).toHaveLength(3);
  });

  it('continues after its process was killed between a deletion and the count of it', async () => {
    const { survey } = await setUp();
    const { body } = await plan(survey);
    await confirm(survey, body.plan_id, 2);
    const plans = app.db.collection<DeletionPlanDocument>('deletion_plans');
    await plans.updateOne({ _id: body.plan_id }, { $set: { position: 0, deleted: 0, open: true } });
    const progress = { deleted: 2, skipped: 0, remaining: 0, complete: true };
    expect((await confirm(survey, body.plan_id, 2)).body).toEqual(progress);
    expect(await eventTypesOf(survey.tenantId, 2)).toHaveLength(2);
  });

  it('counts each response once in two requests at the same time', async () => {
    const survey = app.survey.add({ definition: testDefinition });
    const tenant_id = toTenantId(survey.tenantId);
    const documents = Array.from({ length: 1_200 }, () =>
      newResponseDocument({ survey_id: survey.surveyId, tenant_id }),
    );
    await app.responses.insertMany(documents);
    const { body } = await plan(survey, { all: true });
    expect(body).toMatchObject({ count: 1_200 });
    expect(body.sample_ids).toHaveLength(20);
    await Promise.all([1, 2].map(() => confirm(survey, body.plan_id, 1_200)));
    const progress = { deleted: 1_200, skipped: 0, remaining: 0, complete: true };
    expect((await confirm(survey, body.plan_id, 1_200)).body).toEqual(progress);
    const events = await eventTypesOf(survey.tenantId, 1_200);
    expect(new Set(events.map(({ id }) => id)).size).toBe(1_200);
  });

  it('frees the seats of its responses', async () => {
    const survey = app.survey.add({ definition: testDefinition, settings: { responseLimit: 2 } });
    await submit(survey, MARKER);
    await submit(survey, MARKER);
    const full = await app.submit(survey.surveyId, { data: { ate: 'no' } });
    expect(full).toMatchObject({ status: 409, body: { code: 'RESPONSE_LIMIT_REACHED' } });
    const { body } = await plan(survey);
    expect((await confirm(survey, body.plan_id, 2)).body).toMatchObject({ deleted: 2 });
    await submit(survey, 'new');
    await submit(survey, 'new');
  });

  it('destroys the files of the deleted responses', async () => {
    const survey = addFileSurvey(app);
    const [gone, kept, skipped] = [await survey.store(), await survey.store(), await survey.store()];
    expect((await survey.submit({ cv: fileAnswer(gone), name: MARKER })).status).toBe(201);
    expect((await survey.submit({ cv: fileAnswer(kept), name: 'other' })).status).toBe(201);
    const named = { conditions: [{ source_question: 'name', operator: 'equals', value: MARKER }] };
    const { body: changed } = await survey.submit({ cv: fileAnswer(skipped), name: MARKER });
    const { body } = await plan(survey.survey, { where: named });
    await survey.call('PATCH', `/v1/responses/${changed.id}`, { body: { data: { name: 'other' } } });
    expect((await confirm(survey.survey, body.plan_id, 2)).body).toMatchObject({ deleted: 1, skipped: 1 });
    expect((await survey.download(gone)).status).toBe(404);
    for (const id of [kept, skipped]) expect((await survey.download(id)).status).toBe(200);
    expect((await survey.countDocuments())[0]).toBe(2);
  });
});

it('plans go with their survey and soon after they expire', async () => {
  const { survey } = await setUp();
  await plan(survey);
  for (const name of ['deletion_plans', 'deletion_plan_parts']) {
    const indexes = await app.db.collection(name).indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expires_at: 1 }, expireAfterSeconds: 600 }));
    expect(await app.db.collection(name).countDocuments({ survey_id: survey.surveyId })).toBe(1);
  }
});
