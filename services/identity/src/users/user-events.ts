import type { Actor } from '@survey/runtime/auth/actor';
import { createProjection } from '@survey/runtime/json/projection';
import { auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { User } from './user.ts';

type UserAction = 'user.created' | 'user.updated' | 'user.deleted';

/** The audit event of a change; `before` is undefined for a new user. */
export function userEvent(caller: Actor, action: UserAction, before: User | undefined, after: User): OutboxEvent {
  return auditEvent({
    caller,
    action,
    resourceType: 'user',
    resourceId: after.id,
    recordId: after.membershipId,
    revision: after.revision,
    time: after.updatedAt,
    before: before === undefined ? {} : toAudited(before),
    after: action === 'user.deleted' ? {} : toAudited(after),
  });
}

const toAudited = createProjection<Omit<User, CommonMember>>({
  email: true,
  role: true,
  permissions: true,
  membershipId: false,
});
