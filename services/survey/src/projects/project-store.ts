import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { type OutboxEvent, replaceWithTombstone } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { inTransaction } from '@survey/runtime/mongo/in-transaction';
import { insertOnce } from '@survey/runtime/mongo/insert-once';
import { findPage, type Page, type PageQuery } from '@survey/runtime/mongo/page';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { ClientSession, Collection, MongoClient } from 'mongodb';
import type { Project } from './project-service.ts';

export interface ProjectDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly description: string;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly created_by: string;
  readonly updated_by: string;
  /** Number of calls of `markUsed`. Earlier releases chose the name of this field. */
  readonly times_held?: number;
  /** Events that are not published to Kafka yet. They are stored with the change that they report. */
  readonly outbox: readonly OutboxEvent[];
}

export const projectIndexes: IndexSpecs[string] = [
  { name: 'newest_first', key: { tenant_id: 1, created_at: -1, _id: -1 } },
];

/** The fields of surveys that projects use. */
export interface SurveyInProject {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly project_id: string | null;
}

interface Dependencies {
  readonly collection: Collection<ProjectDocument>;
  readonly surveys: Collection<SurveyInProject>;
  readonly client: MongoClient;
  /** Called after each write that may have stored an event. */
  readonly onEvent: () => void;
}

export type ProjectStore = ReturnType<typeof createProjectStore>;

/** Stores projects. Each write includes its event. */
export function createProjectStore({ collection, surveys, client, onEvent }: Dependencies) {
  const projectsOf = (tenantId: TenantId) => tenantCollection(collection, tenantId);

  return {
    /** Returns the project, or the existing one with this id. */
    async insert(project: Project, event: OutboxEvent): Promise<Project> {
      const stored = await insertOnce(projectsOf(project.tenantId), {
        _id: project.id,
        created_at: project.createdAt,
        created_by: project.createdBy,
        ...toFields(project),
        outbox: [event],
      });
      onEvent();
      return fromDocument(stored);
    },

    async find(tenantId: TenantId, id: string): Promise<Project | undefined> {
      const document = await projectsOf(tenantId).findOne({ _id: id });
      return document === null ? undefined : fromDocument(document);
    },

    /**
     * Marks a project as used, in the transaction that puts a survey into it. Returns false for unknown projects. The
     * write conflicts with a concurrent deletion, so MongoDB retries one of the two transactions.
     */
    async markUsed(tenantId: TenantId, id: string, session: ClientSession): Promise<boolean> {
      const mark = { $inc: { times_held: 1 } };
      const { matchedCount } = await projectsOf(tenantId).updateOne({ _id: id }, mark, { session });
      return matchedCount === 1;
    },

    async list(tenantId: TenantId, query: PageQuery): Promise<Page<Project>> {
      const { items, ...rest } = await findPage(projectsOf(tenantId), {}, query);
      return { items: items.map(fromDocument), ...rest };
    },

    /** Returns false when the revision has changed. */
    async replace(before: Project, after: Project, event: OutboxEvent): Promise<boolean> {
      const update = { $set: toFields(after), $push: { outbox: event } };
      const { matchedCount } = await projectsOf(before.tenantId).updateOne(atRevision(before), update);
      onEvent();
      return matchedCount === 1;
    },

    /** Returns false when the revision has changed. Throws `PROJECT_NOT_EMPTY` if it has surveys, even deleted ones. */
    async remove(project: Project, event: OutboxEvent): Promise<boolean> {
      const { tenantId, id } = project;
      const isDone = await inTransaction(client, async (session) => {
        const options = { projection: { _id: 1 }, session };
        const survey = await tenantCollection(surveys, tenantId).findOne({ project_id: id }, options);
        if (survey !== null) throw new AppError('PROJECT_NOT_EMPTY');
        return replaceWithTombstone(collection, tenantId, atRevision(project), [event], session);
      });
      onEvent();
      return isDone;
    },
  };
}

function atRevision({ id, revision }: Project) {
  return { _id: id, revision };
}

function toFields({ name, description, revision, updatedAt, updatedBy }: Project) {
  return { name, description, revision, updated_at: updatedAt, updated_by: updatedBy };
}

function fromDocument(document: ProjectDocument): Project {
  return {
    id: document._id,
    tenantId: document.tenant_id,
    name: document.name,
    description: document.description,
    revision: document.revision,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    createdBy: document.created_by,
    updatedBy: document.updated_by,
  };
}
