import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { TenantAdminService } from '@survey/proto/survey/identity/v1/tenant_admin_service_pb';
import { callOptionsFor } from '@survey/runtime/rpc/service-client';
import { createTestConfig } from '@survey/runtime/testing/test-config';
import { createTestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import { type Db, MongoClient } from 'mongodb';
import { createIdentityApp } from '../app.ts';
import { permissionsOf } from '../users/roles.ts';

export type TestIdentity = Awaited<ReturnType<typeof startTestIdentity>>;

interface Caller {
  readonly tenantId: string;
  readonly userId: string;
  /** All by default. */
  readonly permissions?: readonly string[];
  /** The API key that authenticates the user. */
  readonly apiKeyId?: string;
}

/** Starts the identity service with its own database, and clients that call it like the gateway and operators. */
export async function startTestIdentity() {
  const keys = await createTestKeys();
  const config = createTestConfig('identity', keys);
  const app = await createIdentityApp(config, testLog);
  const ports = await app.start();
  const address = `127.0.0.1:${ports.grpcPort}`;
  const operator = await keys.connectAs('operator', 'identity', address);
  const gateway = await keys.connectAs('gateway', 'identity', address);
  const admin = operator.client(TenantAdminService);
  const permissions = gateway.client(PermissionService);
  const minter = await keys.minterOf('gateway');
  const client = new MongoClient(config.mongodbUri);
  const db: Db = client.db(config.mongodbDatabase);

  return {
    db,
    admin,
    gateway,
    createTenant: () => admin.createTenant({ name: 'Café', ownerEmail: 'owner@example.org' }),
    grants: (tenantId: string, subject: string) =>
      permissions.getPermissions({}, callOptionsFor({ claims: { tenantId, subject } })),

    async call(caller: Caller, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const subject = { ...caller, subject: caller.userId, permissions: caller.permissions ?? permissionsOf('owner') };
      const response = await fetch(`http://127.0.0.1:${ports.httpPort}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await minter.mint('identity', subject)}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      // biome-ignore lint/suspicious/noExplicitAny: tests assert the members that they need
      const json: any = text === '' ? undefined : JSON.parse(text);
      return { status: response.status, headers: response.headers, body: json };
    },

    async close() {
      operator.close();
      gateway.close();
      await app.stop();
      await keys.close();
      await db.dropDatabase();
      await client.close();
    },
  };
}
