import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { v4, v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectStore, type ProjectDocument, type SurveyInProject } from '../projects/project-store.ts';
import { testPayload } from '../testing/test-survey-service.ts';
import type { SurveyDocument } from './survey-document.ts';
import { createSurveyService, type SurveyService } from './survey-service.ts';
import { createSurveyStore, surveyIndexes } from './survey-store.ts';
import { createSurveyVersionStore, type SurveyVersionDocument, surveyVersionIndexes } from './survey-version-store.ts';

let database: TestDatabase;
let surveys: SurveyService;
let versionsOf: (surveyId: string) => Promise<readonly SurveyVersionDocument[]>;
/** There is no relay here, so all events stay in the outbox. */
let eventsOf: (surveyId: string) => Promise<readonly OutboxEvent[]>;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db, client } = database;
  await ensureIndexes(db, { surveys: surveyIndexes, survey_versions: surveyVersionIndexes, projects: [] });
  await db.createCollection('projects');
  const collection = db.collection<SurveyDocument>('surveys');
  const versionCollection = db.collection<SurveyVersionDocument>('survey_versions');
  const onEvent = () => {};
  const projectCollection = db.collection<ProjectDocument>('projects');
  const projects = createProjectStore({
    collection: projectCollection,
    surveys: db.collection<SurveyInProject>('surveys'),
    client,
    onEvent,
  });
  const versions = createSurveyVersionStore(versionCollection);
  const store = createSurveyStore({ collection, versions, projects, client, onEvent });
  surveys = createSurveyService({ store, clock: () => new Date(), newQuestionId: v4 });
  versionsOf = (surveyId) => versionCollection.find({ survey_id: surveyId }).sort({ version: 1 }).toArray();
  eventsOf = async (surveyId) => (await collection.findOne({ _id: surveyId }))?.outbox ?? [];
});

afterAll(() => database.drop());

const someone = () => ({ tenantId: toTenantId(randomUUID()), actor: 'user-1', requestId: 'r-1', traceparent: '' });
const seen = (revision: number) => ({ includes: (other: number) => other === revision });
const given = (version: number, title = 'Lunch') => ({
  schemaVersion: '1.0',
  version,
  definition: { ...testPayload.survey, title },
});

async function publishedSurvey() {
  const context = someone();
  const { id } = await surveys.create(context, v7(), given(1));
  return { context, id, survey: await surveys.publish({ context, id }) };
}

/** Repeats a call as clients do: on a busy machine, conflicts can last longer than the time limit of a transaction. */
async function untilAvailable(call: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'UNAVAILABLE')) throw error;
    }
  }
}

/** Starts all calls, and counts their outcomes: `done` or the error code. */
async function outcomesOf(calls: readonly (() => Promise<unknown>)[]): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  for (const call of await Promise.allSettled(calls.map(untilAvailable))) {
    const name: string = call.status === 'fulfilled' ? 'done' : call.reason.code;
    outcomes[name] = (outcomes[name] ?? 0) + 1;
  }
  return outcomes;
}

const fifty = Array.from({ length: 50 }, (_, at) => `Lunch ${at}`);

describe('concurrent edits', () => {
  it('with If-Match: one of 50 succeeds each round, without gaps in versions, and with events for each change', async () => {
    const { context, id, survey } = await publishedSurvey();
    let { revision, version } = survey;
    for (let round = 0; round < 5; round += 1) {
      const [ifMatch, current] = [seen(revision), version];
      const edits = fifty.map((title) => () => surveys.replace({ context, id, ifMatch }, given(current, title)));
      expect(await outcomesOf(edits)).toEqual({ done: 1, PRECONDITION_FAILED: 49 });
      ({ revision, version } = await surveys.get(context.tenantId, id));
      expect({ revision, version }).toEqual({ revision: 3 + round, version: 2 + round });
    }
    const versions = await versionsOf(id);
    expect(versions.map((each) => each.version)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(versions.every(({ published_at }) => published_at !== null)).toBe(true);
    expect(JSON.parse(versions.at(-1)?.definition ?? '')).toEqual((await surveys.get(context.tenantId, id)).definition);
    const events = await eventsOf(id);
    expect(events.map(({ type }) => type)).toEqual([
      ...['survey.created', 'audit.survey.created', 'survey.published', 'audit.survey.published'],
      ...Array.from({ length: 5 }, () => ['survey.updated', 'audit.survey.updated']).flat(),
    ]);
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
  });

  it('without If-Match: one of 50 succeeds, and the others get VERSION_CONFLICT', async () => {
    const { context, id, survey } = await publishedSurvey();
    const edits = fifty.map((title) => () => surveys.replace({ context, id }, given(survey.version, title)));
    expect(await outcomesOf(edits)).toEqual({ done: 1, VERSION_CONFLICT: 49 });
    expect((await versionsOf(id)).map(({ version }) => version)).toEqual([1, 2]);
    expect(await eventsOf(id)).toHaveLength(6);
  });

  it('of different settings all succeed', async () => {
    const { context, id } = await publishedSurvey();
    const patches = [{ responseLimit: 5 }, { retentionDays: 30 }, { access: 'links_only' as const }];
    const calls = patches.map((settings) => () => surveys.update({ context, id }, { settings }));
    expect(await outcomesOf(calls)).toEqual({ done: 3 });
    const { settings, revision } = await surveys.get(context.tenantId, id);
    expect(settings).toMatchObject({ responseLimit: 5, retentionDays: 30, access: 'links_only' });
    expect(revision).toBe(5);
  });

  it('of the status: one of 20 succeeds, with one event', async () => {
    const { context, id } = await publishedSurvey();
    const calls = Array.from({ length: 20 }, () => () => surveys.close({ context, id }));
    expect(await outcomesOf(calls)).toEqual({ done: 1, STATE_CONFLICT: 19 });
    const types = (await eventsOf(id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'survey.closed')).toHaveLength(1);
  });
});

describe('creation', () => {
  it('with the same id 20 times at once creates one survey, with one version and its events', async () => {
    const [context, id] = [someone(), v7()];
    const made = await Promise.all(fifty.slice(0, 20).map((title) => surveys.create(context, id, given(1, title))));
    expect(new Set(made.map((survey) => JSON.stringify(survey))).size).toBe(1);
    expect(await versionsOf(id)).toHaveLength(1);
    expect(await eventsOf(id)).toHaveLength(2);
  });

  it('with the id of another tenant is rejected', async () => {
    const id = v7();
    await surveys.create(someone(), id, given(1));
    const rejected = surveys.create(someone(), id, given(1));
    await expect(rejected).rejects.toSatisfy(isDuplicateKey);
    expect(await versionsOf(id)).toHaveLength(1);
  });

  it('in an unknown project stores nothing', async () => {
    const id = v7();
    const rejected = surveys.create(someone(), id, { ...given(1), projectId: randomUUID() });
    const errors = [expect.objectContaining({ path: '/project_id', code: 'UNKNOWN_PROJECT' })];
    await expect(rejected).rejects.toMatchObject({ code: 'VALIDATION_FAILED', errors });
    expect([await versionsOf(id), await eventsOf(id)]).toEqual([[], []]);
  });
});

describe('versions', () => {
  it('go live once: when published, or when created on an active survey', async () => {
    const context = someone();
    const { id } = await surveys.create(context, v7(), given(7));
    const edit = { context, id };
    await surveys.replace(edit, given(7));
    const { publishedAt } = await surveys.publish({ id, context: { ...context, actor: 'user-2' } });
    await surveys.close(edit);
    await surveys.publish(edit);
    await surveys.saveDraft(edit, given(8));
    await surveys.publish(edit);
    await surveys.close(edit);
    await surveys.replace(edit, given(9));
    const versions = await versionsOf(id);
    expect(versions.map(({ version }) => version)).toEqual([7, 8, 9, 10]);
    expect(versions.map(({ published_at }) => published_at !== null)).toEqual([false, true, true, false]);
    expect(versions[1]?.published_at).toEqual(publishedAt);
    expect(versions.map(({ published_by }) => published_by)).toEqual([null, 'user-2', 'user-1', null]);
  });

  it('of an import start with the imported number', async () => {
    const [context, id] = [someone(), v7()];
    await surveys.storeImported(context, id, 'closed', given(3));
    expect(await versionsOf(id)).toMatchObject([{ version: 3, published_at: null, created_by: 'user-1' }]);
  });
});

describe('the audit of a survey', () => {
  it('has every action and its user; drafts have only audit events', async () => {
    const { context, id } = await publishedSurvey();
    const edit = { context: { ...context, actor: 'user-2' }, id };
    await surveys.saveDraft(edit, given(1));
    await surveys.discardDraft(edit);
    await surveys.update(edit, { settings: { responseLimit: 1 } });
    await surveys.update(edit, {});
    await surveys.close(edit);
    await surveys.remove(edit);
    await surveys.restore(edit);
    const events = await eventsOf(id);
    const reported = events.map(({ value }) => fromBinary(EventSchema, value.value()));
    const audited = reported.filter(({ type }) => type.startsWith('audit.')).slice(2);
    expect(audited.map(({ data }) => `${data?.['actor']} ${data?.['action']}`)).toEqual([
      'user-2 survey.draft_saved',
      'user-2 survey.draft_discarded',
      'user-2 survey.updated',
      'user-2 survey.closed',
      'user-2 survey.deleted',
      'user-2 survey.restored',
    ]);
    const others = reported.filter(({ type }) => !type.startsWith('audit.')).slice(2);
    expect(others.map(({ type, data }) => `${type} ${data?.['status']}`)).toEqual([
      'survey.updated active',
      'survey.closed closed',
      'survey.deleted deleted',
      'survey.updated closed',
    ]);
  });
});
