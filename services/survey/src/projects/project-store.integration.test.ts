import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Project, projectEvent } from './project-service.ts';
import { createProjectStore, type ProjectDocument, projectIndexes, type SurveyInProject } from './project-store.ts';

let database: TestDatabase;
let store: ReturnType<typeof createProjectStore>;
const surveys = () => database.db.collection<SurveyInProject>('surveys');

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { projects: [...projectIndexes, outboxIndex] });
  store = createProjectStore({
    collection: database.db.collection<ProjectDocument>('projects'),
    surveys: surveys(),
    client: database.client,
    onEvent: () => undefined,
  });
});
afterAll(() => database.drop());

const tenantId = toTenantId('t1');
const by = { tenantId, actor: 'user-1', requestId: 'r-1', traceparent: '' };

function newProject(change: Partial<Project> = {}): Project {
  const time = new Date();
  const stamps = { createdAt: time, updatedAt: time, createdBy: 'user-1', updatedBy: 'user-1' };
  return { id: randomUUID(), tenantId, name: 'Canteen', description: '', revision: 1, ...stamps, ...change };
}

async function stored(change: Partial<Project> = {}): Promise<Project> {
  const project = newProject(change);
  return store.insert(project, projectEvent(by, 'project.created', undefined, project));
}

const after = (project: Project, name: string) => ({ ...project, name, revision: project.revision + 1 });
const rename = (project: Project, name: string) =>
  store.replace(project, after(project, name), projectEvent(by, 'project.updated', project, after(project, name)));
const remove = (project: Project) =>
  store.remove(project, projectEvent(by, 'project.deleted', project, after(project, project.name)));

const inside = (project: Project): SurveyInProject => ({
  _id: randomUUID(),
  tenant_id: tenantId,
  project_id: project.id,
});

/** Inserts a survey into a project as the survey store does. */
function enter(project: Project): Promise<boolean> {
  return database.client.withSession((session) =>
    session.withTransaction(async () => {
      if (!(await store.markUsed(tenantId, project.id, session))) return false;
      await surveys().insertOne(inside(project), { session });
      return true;
    }),
  );
}

describe('project store', () => {
  it('returns the first project for a repeated id', async () => {
    const first = await stored({ name: 'first' });
    expect(await stored({ id: first.id, name: 'second' })).toEqual(first);
    expect(await store.find(tenantId, first.id)).toEqual(first);
  });

  it('writes only to the revision that was read', async () => {
    const project = await stored();
    expect(await rename(project, 'x')).toBe(true);
    expect(await rename(project, 'y')).toBe(false);
    expect(await remove(project)).toBe(false);
    expect((await store.find(tenantId, project.id))?.name).toBe('x');
  });

  it('does not find deleted projects and those of other tenants', async () => {
    const project = await stored();
    expect(await store.find(tenantId, project.id)).toEqual(project);
    expect(await store.find(toTenantId('t2'), project.id)).toBeUndefined();
    expect(await remove(project)).toBe(true);
    expect(await store.find(tenantId, project.id)).toBeUndefined();
    expect(await enter(project)).toBe(false);
  });

  it('keeps a project that contains a survey', async () => {
    const project = await stored();
    expect(await enter(project)).toBe(true);
    await expect(remove(project)).rejects.toMatchObject({ code: 'PROJECT_NOT_EMPTY' });
    expect(await store.find(tenantId, project.id)).toEqual(project);
  });

  it('commits either the deletion or the surveys when both happen at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const project = await stored();
      const [outcome, ...entered] = await Promise.all([
        remove(project).catch(({ code }) => code),
        ...Array.from({ length: 5 }, () => enter(project)),
      ]);
      const surveysInside = await surveys().countDocuments({ project_id: project.id });
      expect([outcome, surveysInside]).toEqual(
        outcome === true ? [true, 0] : ['PROJECT_NOT_EMPTY', entered.filter(Boolean).length],
      );
    }
  });
});
