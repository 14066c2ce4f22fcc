import type { Actor } from '@survey/runtime/auth/actor';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { TenantService } from '../tenants/tenant-service.ts';
import type { RevokedToken } from './revoked-token.ts';
import { tokenRevokedEvent } from './revoked-token-events.ts';

/** Where revoked tokens are kept, at least until they end. An event goes in with the write that it tells of. */
export interface RevokedTokenStore {
  /**
   * One that comes again is kept until the later of the two ends, and leaves no other event. False when `max` tokens of
   * the user are kept that have not ended.
   */
  keep(token: RevokedToken, event: OutboxEvent, limit: { readonly max: number; readonly now: Date }): Promise<boolean>;
  /** Ids of the tokens of a user that end after a time. */
  listIds(tenantId: TenantId, userId: string, after: Date): Promise<readonly string[]>;
}

interface Dependencies {
  readonly store: RevokedTokenStore;
  readonly tenants: Pick<TenantService, 'get'>;
  readonly clock: () => Date;
}

export type RevokedTokenService = ReturnType<typeof createRevokedTokenService>;

/** Of a user, at one time: the gateway is told all of them with the permissions. */
const MAX_OF_USER = 1_000;

export function createRevokedTokenService({ store, tenants, clock }: Dependencies) {
  const listOf = (tenantId: TenantId, userId: string) => store.listIds(tenantId, userId, clock());

  return {
    /** Ids of the tokens of a user that are revoked. */
    listOf,

    async revoke(by: Actor, { userId, tokenId, expiresAt }: Omit<RevokedToken, 'tenantId'>): Promise<void> {
      const time = clock();
      checkExpiry(expiresAt, time);
      // Not of the user, who may have been removed and be added again before the token ends.
      const { status } = await tenants.get(by.tenantId);
      if (status === 'deleting' || status === 'deleted') throw new AppError('TENANT_NOT_FOUND');
      const token = { tenantId: by.tenantId, userId, tokenId, expiresAt };
      const isKept = await store.keep(token, tokenRevokedEvent(by, token, time), { max: MAX_OF_USER, now: time });
      if (!isKept) throw tooMany();
    },
  };
}

function checkExpiry(expiresAt: Date, time: Date): void {
  if (expiresAt > time) return;
  const problem = { path: '/expires_at', code: 'NOT_IN_FUTURE', detail: 'The token has ended already' };
  throw new AppError('VALIDATION_FAILED', { errors: [problem] });
}

function tooMany(): AppError {
  const detail = `${MAX_OF_USER} tokens of this user are revoked: remove the user instead`;
  return new AppError('STATE_CONFLICT', { detail });
}
