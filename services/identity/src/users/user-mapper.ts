import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { UserSchema } from '@survey/proto/survey/identity/v1/user_service_pb';
import type { CompleteFields } from '@survey/runtime/rpc/complete-fields';
import type { User } from './user.ts';

export function toUserMessage(user: User): CompleteFields<typeof UserSchema> {
  return {
    id: user.id,
    tenantId: user.tenantId,
    email: user.email,
    role: user.role,
    permissions: [...user.permissions],
    createdAt: timestampFromDate(user.createdAt),
    updatedAt: timestampFromDate(user.updatedAt),
  };
}
