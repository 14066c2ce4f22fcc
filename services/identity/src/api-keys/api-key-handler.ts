import { timestampDate } from '@bufbuild/protobuf/wkt';
import { ApiKeyService as ApiKeyServiceDesc } from '@survey/proto/survey/identity/v1/api_key_service_pb';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import { toApiKeyMessage } from './api-key-mapper.ts';
import type { ApiKeyService } from './api-key-service.ts';

const DEFAULT_LIMIT = 50;

export function createApiKeyHandler(keys: ApiKeyService) {
  return implement(ApiKeyServiceDesc, {
    async listApiKeys({ limit = DEFAULT_LIMIT, cursor }, context) {
      const query = { limit, cursor: cursor || undefined };
      const { items, nextCursor } = await keys.list(tenantCallOf(context).tenantId, query);
      return { apiKeys: items.map(toApiKeyMessage), nextCursor: nextCursor ?? '' };
    },

    async createApiKey({ name, permissions, expiresAt }, context) {
      const { tenantId, actor, caller } = tenantCallOf(context);
      const given = { name, permissions, expiresAt: expiresAt && timestampDate(expiresAt) };
      const { key, secret } = await keys.create({ tenantId, permissions: caller.permissions }, actor, given);
      context.responseHeader.set('location', `${API_PREFIX}/api-keys/${key.id}`);
      return { apiKey: { ...toApiKeyMessage(key), secret } };
    },

    async deleteApiKey({ keyId }, context) {
      await keys.remove(tenantCallOf(context).tenantId, keyId);
      return {};
    },
  });
}
