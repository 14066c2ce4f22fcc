import { createHash } from 'node:crypto';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { createProjection } from '@survey/runtime/json/projection';
import { auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { FIRST_REVISION } from '@survey/runtime/rpc/if-match';
import { isDeletedOrDeleting } from '../tenants/tenant.ts';
import type { TenantService } from '../tenants/tenant-service.ts';
import type { RevokedTokenStore } from './revoked-token-store.ts';

/** A token that is rejected before its expiry. */
export interface RevokedToken {
  readonly tenantId: TenantId;
  /** The `sub` of the token. */
  readonly userId: string;
  /** The `jti` of the token, unique only for its issuer. */
  readonly tokenId: string;
  /** The expiry of the token, or a later time if the operator does not know it. */
  readonly expiresAt: Date;
}

/** Returns the id of the record. It is made of all three ids, because a `jti` is not unique on the platform. */
export function recordIdOf({ tenantId, userId, tokenId }: RevokedToken): string {
  return createHash('sha256')
    .update(JSON.stringify([tenantId, userId, tokenId]))
    .digest('base64url');
}

interface Dependencies {
  readonly store: RevokedTokenStore;
  readonly tenants: Pick<TenantService, 'get'>;
  readonly clock: () => Date;
}

export type RevokedTokenService = ReturnType<typeof createRevokedTokenService>;

/** Limit per user, because a reply with the permissions of a user contains all ids of the user's revoked tokens. */
const MAX_PER_USER = 1_000;

/** Revokes tokens. Gateways get the ids of a user's revoked tokens with the permissions, and reject these tokens. */
export function createRevokedTokenService({ store, tenants, clock }: Dependencies) {
  return {
    /** Returns the ids of a user's revoked tokens that have not expired. */
    unexpiredIdsOf: (tenantId: TenantId, userId: string) => store.listIds(tenantId, userId, clock()),

    async revoke(
      context: ChangeContext,
      { userId, tokenId, expiresAt }: Omit<RevokedToken, 'tenantId'>,
    ): Promise<void> {
      const time = clock();
      checkExpiry(expiresAt, time);
      // The user need not exist: a removed user could be added again before the token expires.
      if (isDeletedOrDeleting(await tenants.get(context.tenantId))) throw new AppError('TENANT_NOT_FOUND');
      const token = { tenantId: context.tenantId, userId, tokenId, expiresAt };
      const isSaved = await store.save(token, tokenRevokedEvent(context, token, time), {
        max: MAX_PER_USER,
        now: time,
      });
      if (!isSaved) throw tooMany();
    },
  };
}

function checkExpiry(expiresAt: Date, time: Date): void {
  if (expiresAt > time) return;
  const problem = { path: '/expires_at', code: 'NOT_IN_FUTURE', detail: 'The token has already expired' };
  throw new AppError('VALIDATION_FAILED', { errors: [problem] });
}

function tooMany(): AppError {
  const detail = `${MAX_PER_USER} tokens of this user are already revoked; remove the user instead`;
  return new AppError('STATE_CONFLICT', { detail });
}

export function tokenRevokedEvent(context: ChangeContext, token: RevokedToken, time: Date): OutboxEvent {
  return auditEvent({
    context,
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
