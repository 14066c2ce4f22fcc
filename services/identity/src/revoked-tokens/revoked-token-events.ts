import type { Actor } from '@survey/runtime/auth/actor';
import { createProjection } from '@survey/runtime/json/projection';
import { auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { FIRST_REVISION } from '@survey/runtime/rpc/if-match';
import { type RevokedToken, recordIdOf } from './revoked-token.ts';

/** The audit event of a revoked token. */
export function tokenRevokedEvent(caller: Actor, token: RevokedToken, time: Date): OutboxEvent {
  return auditEvent({
    caller,
    action: 'token.revoked',
    resourceType: 'token',
    resourceId: token.tokenId,
    recordId: recordIdOf(token),
    revision: FIRST_REVISION,
    time,
    before: {},
    after: toAudited(token),
  });
}

const toAudited = createProjection<Omit<RevokedToken, CommonMember>>({
  userId: true,
  expiresAt: true,
  // Already the id of the resource.
  tokenId: false,
});
