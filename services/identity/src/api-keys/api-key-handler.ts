import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  ApiKeyCheckService,
  type CheckApiKeyResponseSchema,
} from '@survey/proto/survey/identity/v1/api_key_check_service_pb';
import { ApiKeySchema, ApiKeyService as ApiKeyServiceDesc } from '@survey/proto/survey/identity/v1/api_key_service_pb';
import type { Idempotency } from '@survey/runtime/idempotency/idempotency';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { readIfMatch, setEtag } from '@survey/runtime/rpc/if-match';
import { implement } from '@survey/runtime/rpc/implementation';
import { type CompleteFields, toMessageFields } from '@survey/runtime/rpc/message-fields';
import { toGranter } from '../users/roles.ts';
import { API_KEY_REVISION, type ApiKey } from './api-key.ts';
import type { ApiKeyService } from './api-key-service.ts';

interface Dependencies {
  readonly keys: ApiKeyService;
  readonly idempotency: Idempotency;
}

export function createApiKeyHandler({ keys, idempotency }: Dependencies) {
  return implement(ApiKeyServiceDesc, {
    async listApiKeys(request, context) {
      const { items, nextCursor } = await keys.list(tenantCallOf(context).tenantId, toPageQuery(request));
      return { apiKeys: items.map(toApiKeyMessage), nextCursor: nextCursor ?? '' };
    },

    async createApiKey(request, context) {
      const { name, permissions, expiresAt } = request;
      const newKey = { name, permissions, expiresAt: expiresAt && timestampDate(expiresAt) };
      const { createApiKey } = ApiKeyServiceDesc.method;
      const granter = toGranter(tenantCallOf(context));
      // Check a repeated request, too, because the repeated reply has the secret.
      await keys.requireCreatable(granter, newKey);
      const result = await idempotency.run(createApiKey, request, context, async (id) => {
        const { key, secret } = await keys.create(granter, id, newKey);
        setEtag(context, API_KEY_REVISION);
        return { apiKey: { ...toApiKeyMessage(key), secret } };
      });
      context.responseHeader.set('location', `${API_PREFIX}/api-keys/${result.apiKey?.id}`);
      return result;
    },

    async deleteApiKey({ keyId }, context) {
      await keys.remove(toGranter(tenantCallOf(context)), keyId, readIfMatch(context));
      return {};
    },
  });
}

/** For the gateway. The key determines the tenant, so the internal token of the call has no tenant. */
export function createApiKeyCheckHandler(keys: ApiKeyService) {
  return implement(ApiKeyCheckService, {
    async checkApiKey({ secretHash }) {
      const { key, permissions, version } = await keys.resolve(secretHash);
      const { id: keyId, tenantId, createdBy: userId, expiresAt } = key;
      const expires = expiresAt && timestampFromDate(expiresAt);
      return { keyId, tenantId, userId, permissions, version, expiresAt: expires } satisfies CompleteFields<
        typeof CheckApiKeyResponseSchema
      >;
    },
  });
}

/** Without the secret, which only the reply to the creation contains. */
function toApiKeyMessage(key: ApiKey) {
  return toMessageFields(ApiKeySchema, { ...key, secret: undefined });
}
