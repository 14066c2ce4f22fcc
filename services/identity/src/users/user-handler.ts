import { UserService as UserServiceDesc } from '@survey/proto/survey/identity/v1/user_service_pb';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { type TenantCall, tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import { toRole } from './roles.ts';
import { toUserMessage } from './user-mapper.ts';
import type { Granter, UserService } from './user-service.ts';

const DEFAULT_LIMIT = 50;

export function createUserHandler(users: UserService) {
  return implement(UserServiceDesc, {
    async listUsers({ limit = DEFAULT_LIMIT, cursor }, context) {
      const query = { limit, cursor: cursor || undefined };
      const { items, nextCursor } = await users.list(tenantCallOf(context).tenantId, query);
      return { users: items.map(toUserMessage), nextCursor: nextCursor ?? '' };
    },

    async createUser({ id, email, role, permissions }, context) {
      const user = await users.create(granterOf(tenantCallOf(context)), { id, email, role: toRole(role), permissions });
      context.responseHeader.set('location', `${API_PREFIX}/users/${encodeURIComponent(user.id)}`);
      return { user: toUserMessage(user) };
    },

    async getUser({ userId }, context) {
      return { user: toUserMessage(await users.get(tenantCallOf(context).tenantId, userId)) };
    },

    async updateUser({ userId, updateMask, email, role, permissions }, context) {
      const asked = new Set(updateMask?.paths);
      const change = {
        ...(asked.has('email') ? { email } : {}),
        ...(asked.has('role') ? { role: toRole(role) } : {}),
        ...(asked.has('permissions') ? { permissions } : {}),
      };
      return { user: toUserMessage(await users.change(granterOf(tenantCallOf(context)), userId, change)) };
    },

    async deleteUser({ userId }, context) {
      await users.remove(granterOf(tenantCallOf(context)), userId);
      return {};
    },
  });
}

function granterOf({ tenantId, caller }: TenantCall): Granter {
  return { tenantId, permissions: caller.permissions };
}
