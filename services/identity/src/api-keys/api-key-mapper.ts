import { ApiKeySchema } from '@survey/proto/survey/identity/v1/api_key_service_pb';
import { toMessageFields } from '@survey/runtime/rpc/message-fields';
import type { ApiKey } from './api-key.ts';

/** Without the secret, which only the reply to the creation contains. */
export function toApiKeyMessage(key: ApiKey) {
  return toMessageFields(ApiKeySchema, { ...key, secret: undefined });
}
