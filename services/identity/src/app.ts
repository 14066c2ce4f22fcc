import { catalog, topics } from '@survey/proto/catalog';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { dataKeyIndexes } from '@survey/runtime/crypto/data-key';
import { idempotencyIndexes } from '@survey/runtime/idempotency/idempotency-store';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { deadLetterTopic } from '@survey/runtime/kafka/topics';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { followTenants } from '@survey/runtime/service/follow-tenants';
import { createKeyHandler } from '@survey/runtime/service/key-handler';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { createApiKeyCheckHandler } from './api-keys/api-key-check-handler.ts';
import { createApiKeyHandler } from './api-keys/api-key-handler.ts';
import { createApiKeyService } from './api-keys/api-key-service.ts';
import { type ApiKeyDocument, apiKeyIndexes, createApiKeyStore } from './api-keys/api-key-store.ts';
import { type AuditEventDocument, auditEventIndexes, createAuditEventStore } from './audit/audit-event-store.ts';
import { createAuditHandler } from './audit/audit-handler.ts';
import { createAuditIntake } from './audit/audit-intake.ts';
import type { IdentityConfig } from './config.ts';
import { createRateLimitHandler } from './limits/rate-limit-handler.ts';
import { createRateLimitService } from './limits/rate-limit-service.ts';
import { createRateLimitStore, type RateLimitDocument, rateLimitIndexes } from './limits/rate-limit-store.ts';
import { createRevokedTokenService } from './revoked-tokens/revoked-token-service.ts';
import {
  createRevokedTokenStore,
  type RevokedTokenDocument,
  revokedTokenIndexes,
} from './revoked-tokens/revoked-token-store.ts';
import { createTenantAdminHandler } from './tenants/tenant-admin-handler.ts';
import { createTenantService } from './tenants/tenant-service.ts';
import { createTenantStore, type StoredTenant, tenantIndexes } from './tenants/tenant-store.ts';
import { createTenantSweeper } from './tenants/tenant-sweeper.ts';
import { createIdentityHandler } from './users/identity-handler.ts';
import { createPermissionHandler } from './users/permission-handler.ts';
import { createUserHandler } from './users/user-handler.ts';
import { createUserService } from './users/user-service.ts';
import { createUserStore, type UserDocument, userIndexes } from './users/user-store.ts';

export async function createIdentityApp(config: IdentityConfig, log: Logger) {
  const runtime = await createServiceRuntime('identity', config, log);
  const clock = () => new Date();
  const envelope = await runtime.envelope(config.encryptionKeyring);
  const idempotency = runtime.idempotency(envelope);

  const tenantCollection = runtime.collection<StoredTenant>('tenants');
  const tenantRelay = runtime.relay(systemScope(tenantCollection));
  const tenantStore = createTenantStore({ collection: tenantCollection, onEvent: tenantRelay.wake });
  const userCollection = runtime.collection<UserDocument>('users');
  const userRelay = runtime.relay(systemScope(userCollection));
  const userStore = createUserStore({
    collection: userCollection,
    client: runtime.mongo.client,
    onEvent: userRelay.wake,
  });
  const users = createUserService({ users: userStore, tenants: tenantStore, clock, newId: v7 });
  const services = Object.keys(catalog);
  const tenants = createTenantService({ tenants: tenantStore, users, services, clock, newId: v7 });
  const lease = runtime.lease('unfinished tenants');
  const tenantSweeper = createTenantSweeper({ store: tenantStore, tenants, clock, lease, log });
  // Its own records of tenants stay, and say that there were some.
  const followed = followTenants(runtime, { config, destroyKeys: envelope.erase, kept: ['tenants'] });
  const apiKeyCollection = runtime.collection<ApiKeyDocument>('api_keys');
  const apiKeyRelay = runtime.relay(systemScope(apiKeyCollection));
  const apiKeyStore = createApiKeyStore({ collection: apiKeyCollection, onEvent: apiKeyRelay.wake });
  const secretBytesOf = async (tenantId: TenantId, id: string) =>
    (await envelope.cipherOf(tenantId)).stableHash('api-key', Buffer.from(id));
  const apiKeys = createApiKeyService({ store: apiKeyStore, users, clock, secretBytesOf });

  const revokedTokenCollection = runtime.collection<RevokedTokenDocument>('revoked_tokens');
  const revokedTokenRelay = runtime.relay(systemScope(revokedTokenCollection));
  const revokedTokenStore = createRevokedTokenStore({
    collection: revokedTokenCollection,
    onEvent: revokedTokenRelay.wake,
  });
  const revokedTokens = createRevokedTokenService({ store: revokedTokenStore, tenants, clock });

  // What a crash forgets of it has come back within a minute anyway.
  const counters = { writeConcern: { w: 1, journal: false } } as const;
  const rateLimits = createRateLimitService({
    limits: createRateLimitStore(runtime.mongo.db.collection<RateLimitDocument>('rate_limits', counters)),
    tenants: tenantStore,
  });

  const auditEvents = createAuditEventStore(runtime.collection<AuditEventDocument>('audit_events'));
  const auditConsumer = runtime.consumer({
    name: 'audit',
    topics: [topics.audit],
    handler: createAuditIntake({
      events: auditEvents,
      isDeleted: async (tenantId) => (await followed.statusOf(tenantId)) === 'deleted',
      noteErasure: tenants.noteErasure,
    }),
  });

  return createServiceApp({
    runtime,
    config,
    tenants: followed,
    implementations: [
      createIdentityHandler({ tenants, users }),
      createUserHandler({ users, idempotency }),
      createPermissionHandler({ users, revokedTokens }),
      createApiKeyHandler({ keys: apiKeys, idempotency }),
      createApiKeyCheckHandler(apiKeys),
      createAuditHandler(auditEvents),
      createTenantAdminHandler({ tenants, users, revokedTokens }),
      createRateLimitHandler(rateLimits),
      createKeyHandler({ envelope, tenants: followed }),
    ],
    indexes: {
      tenants: [...tenantIndexes, outboxIndex],
      users: [...userIndexes, outboxIndex],
      api_keys: [...apiKeyIndexes, outboxIndex],
      revoked_tokens: [...revokedTokenIndexes, outboxIndex],
      audit_events: auditEventIndexes,
      rate_limits: rateLimitIndexes,
      idempotency_keys: idempotencyIndexes,
      data_keys: dataKeyIndexes,
    },
    topics: [topics.audit, deadLetterTopic(topics.audit)],
    workers: [tenantRelay, userRelay, apiKeyRelay, revokedTokenRelay],
    intake: [auditConsumer, tenantSweeper],
  });
}
