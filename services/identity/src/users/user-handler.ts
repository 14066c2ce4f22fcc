import { UserSchema, UserService as UserServiceDesc } from '@survey/proto/survey/identity/v1/user_service_pb';
import type { Idempotency } from '@survey/runtime/idempotency/idempotency';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { readIfMatch, setEtag } from '@survey/runtime/rpc/if-match';
import { implement } from '@survey/runtime/rpc/implementation';
import { pickMasked, toMessageFields } from '@survey/runtime/rpc/message-fields';
import { toGranter, toRole } from './roles.ts';
import type { User } from './user.ts';
import type { UserService } from './user-service.ts';

interface Dependencies {
  readonly users: UserService;
  readonly idempotency: Idempotency;
}

export function createUserHandler({ users, idempotency }: Dependencies) {
  return implement(UserServiceDesc, {
    async listUsers(page, context) {
      const { items, nextCursor } = await users.list(tenantCallOf(context).tenantId, toPageQuery(page));
      return { users: items.map(toUserMessage), nextCursor: nextCursor ?? '' };
    },

    async createUser(request, context) {
      const newUser = { ...request, role: toRole(request.role) };
      const { createUser } = UserServiceDesc.method;
      const result = await idempotency.run(createUser, request, context, async (membershipId) => {
        const user = await users.create(toGranter(tenantCallOf(context)), membershipId, newUser);
        setEtag(context, user.revision);
        return { user: toUserMessage(user) };
      });
      context.responseHeader.set('location', `${API_PREFIX}/users/${encodeURIComponent(result.user?.id ?? '')}`);
      return result;
    },

    async getUser({ userId }, context) {
      const user = await users.get(tenantCallOf(context).tenantId, userId);
      setEtag(context, user.revision);
      return { user: toUserMessage(user) };
    },

    async updateUser({ userId, updateMask, email, role, permissions }, context) {
      const { role: newRole, ...fields } = pickMasked({ email, role, permissions }, updateMask);
      const change = { ...fields, ...(newRole === undefined ? {} : { role: toRole(newRole) }) };
      const user = await users.change(toGranter(tenantCallOf(context)), userId, change, readIfMatch(context));
      setEtag(context, user.revision);
      return { user: toUserMessage(user) };
    },

    async deleteUser({ userId }, context) {
      await users.remove(toGranter(tenantCallOf(context)), userId, readIfMatch(context));
      return {};
    },
  });
}

function toUserMessage(user: User) {
  return toMessageFields(UserSchema, user);
}
