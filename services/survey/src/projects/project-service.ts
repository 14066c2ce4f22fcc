import type { ChangeContext } from '@survey/runtime/auth/caller';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { createProjection } from '@survey/runtime/json/projection';
import { auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { PageQuery } from '@survey/runtime/mongo/page';
import { changeLatest, changesNothing, type EditTarget, FIRST_REVISION } from '@survey/runtime/rpc/if-match';
import type { ProjectStore } from './project-store.ts';

interface NewProject {
  readonly name: string;
  readonly description: string;
}

interface Dependencies {
  readonly store: ProjectStore;
  readonly clock: () => Date;
}

export type ProjectService = ReturnType<typeof createProjectService>;

/** Manages projects, the folders of surveys. */
export function createProjectService({ store, clock }: Dependencies) {
  async function get(tenantId: TenantId, id: string): Promise<Project> {
    const project = await store.find(tenantId, id);
    if (project === undefined) throw new AppError('PROJECT_NOT_FOUND');
    return project;
  }

  function changed(before: Project, { actor }: ChangeContext, change: Partial<NewProject>): Project {
    return { ...before, ...change, revision: before.revision + 1, updatedAt: clock(), updatedBy: actor };
  }

  return {
    get,
    list: (tenantId: TenantId, query: PageQuery) => store.list(tenantId, query),

    /** Creates a project. Returns the existing project if the id exists. */
    create(context: ChangeContext, id: string, newProject: NewProject): Promise<Project> {
      const time = clock();
      const project: Project = {
        id,
        tenantId: context.tenantId,
        ...newProject,
        revision: FIRST_REVISION,
        createdAt: time,
        updatedAt: time,
        createdBy: context.actor,
        updatedBy: context.actor,
      };
      return store.insert(project, projectEvent(context, 'project.created', undefined, project));
    },

    change(edit: EditTarget, change: Partial<NewProject>): Promise<Project> {
      return changeLatest(edit, {
        read: () => get(edit.context.tenantId, edit.id),
        async write(before) {
          if (changesNothing(before, change)) return before;
          const after = changed(before, edit.context, change);
          const event = projectEvent(edit.context, 'project.updated', before, after);
          return (await store.replace(before, after, event)) ? after : undefined;
        },
      });
    },

    /** Throws `PROJECT_NOT_EMPTY` if the project has surveys. */
    async remove(edit: EditTarget): Promise<void> {
      await changeLatest(edit, {
        read: () => get(edit.context.tenantId, edit.id),
        async write(before) {
          const event = projectEvent(edit.context, 'project.deleted', before, changed(before, edit.context, {}));
          return (await store.remove(before, event)) ? before : undefined;
        },
      });
    },
  };
}

type ProjectAction = 'project.created' | 'project.updated' | 'project.deleted';

/** The audit event of a change; `before` is undefined for a new project. */
export function projectEvent(
  context: ChangeContext,
  action: ProjectAction,
  before: Project | undefined,
  after: Project,
): OutboxEvent {
  return auditEvent({
    context,
    action,
    resourceType: 'project',
    resourceId: after.id,
    revision: after.revision,
    time: after.updatedAt,
    before: before === undefined ? {} : toAudited(before),
    after: action === 'project.deleted' ? {} : toAudited(after),
  });
}

const toAudited = createProjection<Omit<Project, CommonMember>>({
  name: true,
  description: true,
});

/** A folder for surveys of a tenant. */
export interface Project {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly name: string;
  readonly description: string;
  /** Incremented by each change; part of event ids. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: string;
  readonly updatedBy: string;
}
