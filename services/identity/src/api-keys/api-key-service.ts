import { hashApiKeySecret, makeApiKeySecret, visiblePartOf } from '@survey/runtime/auth/api-key-secret';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { createProjection } from '@survey/runtime/json/projection';
import { auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { PageQuery } from '@survey/runtime/mongo/page';
import { checkIfMatch, type IfMatch } from '@survey/runtime/rpc/if-match';
import { type Granter, requireGrantable, toPermissions } from '../users/roles.ts';
import type { UserService } from '../users/user-service.ts';
import { API_KEY_REVISION, type ApiKey, grantsOfKey, isExpired } from './api-key.ts';
import type { ApiKeyStore } from './api-key-store.ts';

interface NewApiKey {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly expiresAt: Date | undefined;
}

interface Dependencies {
  readonly store: ApiKeyStore;
  readonly users: Pick<UserService, 'get' | 'getOfActiveTenant'>;
  readonly clock: () => Date;
  /** Derives the 32 secret bytes of a key from its id, so that a repeated creation returns the same secret. */
  readonly secretBytesOf: (tenantId: TenantId, id: string) => Promise<Uint8Array>;
}

export type ApiKeyService = ReturnType<typeof createApiKeyService>;

/** Minimum time between updates of the last use. */
const LAST_USE_PRECISION_MS = 60_000;

/** Manages the API keys of tenants, and checks the keys in requests for the gateway. */
export function createApiKeyService({ store, users, clock, secretBytesOf }: Dependencies) {
  return {
    /**
     * Checks that a new key has only permissions of its creator. If the creator uses an API key, the new key must not
     * expire later than that key, so that a leaked key cannot extend its own life.
     */
    async requireCreatable(granter: Granter, { permissions, expiresAt }: NewApiKey): Promise<void> {
      requireGrantable(granter.permissions, toPermissions(permissions));
      if (granter.apiKeyId === undefined) return;
      const own = await store.find(granter.tenantId, granter.apiKeyId);
      // The creator's key was deleted, but the gateway has not noticed yet.
      if (own === undefined) throw new AppError('INVALID_TOKEN');
      if (own.expiresAt === undefined || (expiresAt !== undefined && expiresAt <= own.expiresAt)) return;
      const detail = `The key that you send ends at ${own.expiresAt.toISOString()}, and the new one must not end later`;
      throw new AppError('VALIDATION_FAILED', { errors: [{ path: '/expires_at', code: 'ENDS_TOO_LATE', detail }] });
    },

    /** Returns the new key, or the existing key with this id, and its secret. Call `requireCreatable` first. */
    async create(granter: Granter, id: string, newKey: NewApiKey): Promise<{ key: ApiKey; secret: string }> {
      const permissions = toPermissions(newKey.permissions);
      const { tenantId, actor } = granter;
      const secret = makeApiKeySecret(await secretBytesOf(tenantId, id));
      const existing = await store.find(tenantId, id);
      if (existing !== undefined) return { key: existing, secret };
      const time = clock();
      checkExpiry(newKey.expiresAt, time);
      const creator = await users.get(tenantId, actor);
      const key: ApiKey = {
        id,
        tenantId,
        name: newKey.name,
        prefix: visiblePartOf(secret),
        secretHash: hashApiKeySecret(secret).toString('base64'),
        permissions: [...permissions].sort(),
        createdBy: creator.id,
        membershipId: creator.membershipId,
        createdAt: time,
        expiresAt: newKey.expiresAt,
        lastUsedAt: undefined,
      };
      return { key: await store.insert(key, apiKeyEvent(granter, 'api_key.created', key, time)), secret };
    },

    list: (tenantId: TenantId, query: PageQuery) => store.list(tenantId, query),

    /** A user may delete any key. A key may delete itself, and keys without permissions that it lacks. */
    async remove(granter: Granter, id: string, ifMatch: IfMatch | undefined): Promise<void> {
      const key = await store.find(granter.tenantId, id);
      if (key === undefined) throw new AppError('API_KEY_NOT_FOUND');
      if (granter.apiKeyId !== undefined && granter.apiKeyId !== id)
        requireGrantable(granter.permissions, key.permissions);
      checkIfMatch(ifMatch, API_KEY_REVISION);
      if (!(await store.remove(key, apiKeyEvent(granter, 'api_key.deleted', key, clock()))))
        throw new AppError('API_KEY_NOT_FOUND');
    },

    /**
     * Finds a key with its current permissions, and records its use. Throws an error with status 404 if the key is not
     * valid. Also returns an expired key, because the gateway compares `expiresAt` with each request.
     */
    async resolve(secretHash: Uint8Array) {
      const key = await store.findBySecret(Buffer.from(secretHash).toString('base64'));
      if (key === undefined) throw new AppError('API_KEY_NOT_FOUND');
      const user = await users.getOfActiveTenant(key.tenantId, key.createdBy);
      const time = clock();
      // The creator was removed and added again since the key was created.
      if (key.membershipId !== user.membershipId) throw new AppError('API_KEY_NOT_FOUND');
      const isRecent =
        key.lastUsedAt !== undefined && time.getTime() - key.lastUsedAt.getTime() < LAST_USE_PRECISION_MS;
      if (!isRecent && !isExpired(key, time)) await store.recordUse(key, time);
      return { key, ...grantsOfKey(key, user) };
    },
  };
}

function checkExpiry(expiresAt: Date | undefined, time: Date): void {
  if (expiresAt === undefined || expiresAt > time) return;
  const problem = { path: '/expires_at', code: 'NOT_IN_FUTURE', detail: 'expires_at must be in the future' };
  throw new AppError('VALIDATION_FAILED', { errors: [problem] });
}

type ApiKeyAction = 'api_key.created' | 'api_key.deleted';

/** The audit event of a created or deleted key. */
function apiKeyEvent(context: ChangeContext, action: ApiKeyAction, key: ApiKey, time: Date): OutboxEvent {
  const isDeletion = action === 'api_key.deleted';
  return auditEvent({
    context,
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
