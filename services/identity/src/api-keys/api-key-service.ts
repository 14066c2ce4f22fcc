import { hashApiKeySecret, makeApiKeySecret, visiblePartOf } from '@survey/runtime/auth/api-key-secret';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Page } from '@survey/runtime/mongo/page';
import { checkWithin, toPermissions } from '../users/granting.ts';
import type { Granter, ListQuery, UserService } from '../users/user-service.ts';
import { type ApiKey, grantsOfKey, isWorking } from './api-key.ts';

/** Where keys are kept. */
export interface ApiKeyStore {
  insert(key: ApiKey): Promise<void>;
  list(tenantId: TenantId, query: ListQuery): Promise<Page<ApiKey>>;
  /** False when there was none. */
  remove(tenantId: TenantId, id: string): Promise<boolean>;
  /** A key of whichever tenant. */
  findBySecret(secretHash: string): Promise<ApiKey | undefined>;
  /** Sets when a key was used last, unless somebody else has done so since it was read. */
  noteUse(key: ApiKey, time: Date): Promise<void>;
}

export interface NewApiKey {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly expiresAt: Date | undefined;
}

interface Dependencies {
  readonly store: ApiKeyStore;
  readonly users: Pick<UserService, 'get' | 'getActive'>;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly randomBytes: (size: number) => Buffer;
}

export type ApiKeyService = ReturnType<typeof createApiKeyService>;

/** How exactly the last use is known. */
const USE_NOTED_MS = 60_000;

export function createApiKeyService({ store, users, clock, newId, randomBytes }: Dependencies) {
  return {
    /** Gives the secret along, for the only time. */
    async create(granter: Granter, actor: string, given: NewApiKey): Promise<{ key: ApiKey; secret: string }> {
      const permissions = toPermissions(given.permissions);
      checkWithin(granter.permissions, permissions);
      const time = clock();
      checkExpiry(given.expiresAt, time);
      const creator = await users.get(granter.tenantId, actor);
      const secret = makeApiKeySecret(randomBytes);
      const key: ApiKey = {
        id: newId(),
        tenantId: granter.tenantId,
        name: given.name,
        prefix: visiblePartOf(secret),
        secretHash: hashApiKeySecret(secret).toString('base64'),
        permissions: [...permissions].sort(),
        createdBy: creator.id,
        creatorSince: creator.createdAt,
        createdAt: time,
        expiresAt: given.expiresAt,
        lastUsedAt: undefined,
      };
      await store.insert(key);
      return { key, secret };
    },

    list: (tenantId: TenantId, query: ListQuery) => store.list(tenantId, query),

    async remove(tenantId: TenantId, id: string): Promise<void> {
      if (!(await store.remove(tenantId, id))) throw new AppError('API_KEY_NOT_FOUND');
    },

    /** Whom a key stands for now. Throws a reason of the status 404 when it is worth nothing. */
    async check(secretHash: Uint8Array) {
      const key = await store.findBySecret(Buffer.from(secretHash).toString('base64'));
      if (key === undefined) throw new AppError('API_KEY_NOT_FOUND');
      const user = await users.getActive(key.tenantId, key.createdBy);
      const time = clock();
      if (!isWorking(key, user, time)) throw new AppError('API_KEY_NOT_FOUND');
      const isNoted = key.lastUsedAt !== undefined && time.getTime() - key.lastUsedAt.getTime() < USE_NOTED_MS;
      if (!isNoted) await store.noteUse(key, time);
      return { key, ...grantsOfKey(key, user) };
    },
  };
}

function checkExpiry(expiresAt: Date | undefined, time: Date): void {
  if (expiresAt === undefined || expiresAt > time) return;
  const problem = { path: '/expires_at', code: 'NOT_IN_FUTURE', detail: 'A key has to expire in the future' };
  throw new AppError('VALIDATION_FAILED', { errors: [problem] });
}
