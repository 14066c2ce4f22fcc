import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { entomb } from '@survey/runtime/kafka/entomb';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { inTransaction } from '@survey/runtime/mongo/in-transaction';
import { insertOnce } from '@survey/runtime/mongo/insert-once';
import { findPage } from '@survey/runtime/mongo/page';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { ClientSession, Collection, MongoClient } from 'mongodb';
import type { Project } from './project.ts';
import type { ProjectStore } from './project-service.ts';

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
  /** How often a survey came in; see `hold`. */
  readonly times_held?: number;
  readonly outbox: readonly OutboxEvent[];
}

export const projectIndexes: IndexSpecs[string] = [
  { name: 'newest_first', key: { tenant_id: 1, created_at: -1, _id: -1 } },
];

/** A survey, as far as projects know it. */
export interface SurveyInProject {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly project_id: string | null;
}

interface Dependencies {
  readonly collection: Collection<ProjectDocument>;
  readonly surveys: Collection<SurveyInProject>;
  readonly client: MongoClient;
  /** Called after a write that left an event. */
  readonly onEvent: () => void;
}

/** What keeps surveys out of projects that are not there. */
export interface ProjectHolder {
  /**
   * Whether there is such a project, in the transaction that puts a survey into it. The mark that it leaves meets the
   * deletion of the project: MongoDB lets one of the two through, and the other one starts again and sees it.
   */
  hold(tenantId: TenantId, id: string, session: ClientSession): Promise<boolean>;
}

export function createProjectStore({
  collection,
  surveys,
  client,
  onEvent,
}: Dependencies): ProjectStore & ProjectHolder {
  const projectsOf = (tenantId: TenantId) => tenantCollection(collection, tenantId);

  return {
    async insert(project, event) {
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

    async find(tenantId, id) {
      const document = await projectsOf(tenantId).findOne({ _id: id });
      return document === null ? undefined : fromDocument(document);
    },

    async hold(tenantId, id, session) {
      const mark = { $inc: { times_held: 1 } };
      const { matchedCount } = await projectsOf(tenantId).updateOne({ _id: id }, mark, { session });
      return matchedCount === 1;
    },

    async list(tenantId, query) {
      const { items, ...rest } = await findPage(projectsOf(tenantId), {}, query);
      return { items: items.map(fromDocument), ...rest };
    },

    async replace(before, after, event) {
      const update = { $set: toFields(after), $push: { outbox: event } };
      const { matchedCount } = await projectsOf(before.tenantId).updateOne(asItWas(before), update);
      onEvent();
      return matchedCount === 1;
    },

    async remove(project, event) {
      const { tenantId, id } = project;
      const outcome = await inTransaction(client, async (session) => {
        const options = { projection: { _id: 1 }, session };
        const inside = await tenantCollection(surveys, tenantId).findOne({ project_id: id }, options);
        if (inside !== null) return 'not-empty' as const;
        const isDone = await entomb(collection, tenantId, asItWas(project), [event], session);
        return isDone ? ('done' as const) : ('outdated' as const);
      });
      onEvent();
      return outcome;
    },
  };
}

function asItWas({ id, revision }: Project) {
  return { _id: id, revision };
}

/** What can change of a project. */
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
