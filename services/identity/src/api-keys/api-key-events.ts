import type { Actor } from '@survey/runtime/auth/actor';
import { createProjection } from '@survey/runtime/json/projection';
import { auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { API_KEY_REVISION, type ApiKey } from './api-key.ts';

type ApiKeyAction = 'api_key.created' | 'api_key.deleted';

/** The audit event of a created or deleted key. */
export function apiKeyEvent(caller: Actor, action: ApiKeyAction, key: ApiKey, time: Date): OutboxEvent {
  const isDeletion = action === 'api_key.deleted';
  return auditEvent({
    caller,
    action,
    resourceType: 'api_key',
    resourceId: key.id,
    revision: isDeletion ? API_KEY_REVISION + 1 : API_KEY_REVISION,
    time,
    before: isDeletion ? toAudited(key) : {},
    after: isDeletion ? {} : toAudited(key),
  });
}

const toAudited = createProjection<Omit<ApiKey, CommonMember>>({
  name: true,
  prefix: true,
  permissions: true,
  expiresAt: true,
  secretHash: false,
  membershipId: false,
  lastUsedAt: false,
});
