import type { JsonObject } from '@bufbuild/protobuf';
import type { Actor } from '@survey/runtime/auth/actor';
import { createProjection } from '@survey/runtime/json/projection';
import { auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { Link } from './link.ts';

type LinkAction = 'link.created' | 'link.updated' | 'link.deleted' | 'link.tokens_created';

/**
 * The audit event of a change.
 *
 * @param before undefined for a new link
 * @param tokens number of new tokens
 */
export function linkEvent(
  caller: Actor,
  action: LinkAction,
  before: Link | undefined,
  after: Link,
  tokens = 0,
): OutboxEvent {
  return auditEvent({
    caller,
    action,
    resourceType: 'link',
    resourceId: after.id,
    revision: after.revision,
    time: after.updatedAt,
    before: before === undefined ? {} : toAudited(before),
    after: action === 'link.deleted' ? {} : { ...toAudited(after), ...toSecretChanges(before, after, tokens) },
  });
}

/** Changes of secrets, without the secrets. */
function toSecretChanges(before: Link | undefined, after: Link, tokens: number): JsonObject {
  const isNewPassword = before?.passwordHash !== after.passwordHash && after.passwordHash !== undefined;
  return {
    ...(isNewPassword ? { password: 'set' } : {}),
    ...(tokens === 0 ? {} : { new_tokens: tokens }),
  };
}

const toAudited = createProjection<Omit<Link, CommonMember>>({
  surveyId: true,
  slug: true,
  active: true,
  expiresAt: true,
  maxResponses: true,
  tokenKey: ['single_use', (key) => key !== undefined],
  passwordHash: ['has_password', (hash) => hash !== undefined],
  isSlugChosen: false,
  // The event has the number of tokens instead.
  tokenBatch: false,
});
