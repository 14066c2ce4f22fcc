import type { Actor } from '@survey/runtime/auth/actor';
import { createProjection } from '@survey/runtime/json/projection';
import { auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { Project } from './project.ts';

type ProjectAction = 'project.created' | 'project.updated' | 'project.deleted';

/** The audit event of a change; `before` is undefined for a new project. */
export function projectEvent(
  caller: Actor,
  action: ProjectAction,
  before: Project | undefined,
  after: Project,
): OutboxEvent {
  return auditEvent({
    caller,
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
