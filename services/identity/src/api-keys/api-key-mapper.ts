import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ApiKeySchema } from '@survey/proto/survey/identity/v1/api_key_service_pb';
import type { CompleteFields } from '@survey/runtime/rpc/complete-fields';
import type { ApiKey } from './api-key.ts';

/** Without the secret, which only the reply to the creation contains. */
export function toApiKeyMessage(key: ApiKey) {
  return {
    id: key.id,
    tenantId: key.tenantId,
    name: key.name,
    prefix: key.prefix,
    permissions: [...key.permissions],
    createdBy: key.createdBy,
    createdAt: timestampFromDate(key.createdAt),
    expiresAt: key.expiresAt && timestampFromDate(key.expiresAt),
    lastUsedAt: key.lastUsedAt && timestampFromDate(key.lastUsedAt),
  } satisfies Omit<CompleteFields<typeof ApiKeySchema>, 'secret'>;
}
