import { UserSchema } from '@survey/proto/survey/identity/v1/user_service_pb';
import { toMessageFields } from '@survey/runtime/rpc/message-fields';
import type { User } from './user.ts';

export function toUserMessage(user: User) {
  return toMessageFields(UserSchema, user);
}
