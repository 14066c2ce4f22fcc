import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ApiKeyCheckService } from '@survey/proto/survey/identity/v1/api_key_check_service_pb';
import { implement } from '@survey/runtime/rpc/implementation';
import type { ApiKeyService } from './api-key-service.ts';

/** What the gateway asks for each key. The tenant follows from the key: the token of such a call names none. */
export function createApiKeyCheckHandler(keys: ApiKeyService) {
  return implement(ApiKeyCheckService, {
    async checkApiKey({ secretHash }) {
      const { key, permissions, version } = await keys.check(secretHash);
      const { tenantId, createdBy: userId, expiresAt } = key;
      return { tenantId, userId, permissions, version, expiresAt: expiresAt && timestampFromDate(expiresAt) };
    },
  });
}
