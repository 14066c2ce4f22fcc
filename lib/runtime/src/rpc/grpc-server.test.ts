import { Code, createClient } from '@connectrpc/connect';
import { Health, HealthCheckResponse_ServingStatus as Status } from '@survey/proto/grpc/health/v1/health_pb';
import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { TenantAdminService } from '@survey/proto/survey/identity/v1/tenant_admin_service_pb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { someTenant, startTestServer, type TestServer } from '../testing/rpc/test-server.ts';
import { createTestKeys, type TestKeys } from '../testing/test-keys.ts';
import { callOf } from './call-context.ts';
import { createGrpcHealth } from './grpc-server.ts';
import { createGrpcTransport } from './grpc-transport.ts';
import { callOptionsFor, type ServiceConnection } from './service-client.ts';

let keys: TestKeys;
let server: TestServer;
let address = '';
let connection: ServiceConnection;
let operator: ServiceConnection;

beforeAll(async () => {
  keys = await createTestKeys();
  server = await startTestServer({
    jwksFile: keys.jwksFile,
    getPermissions: (_, context) => {
      const { caller, requestId, traceparent } = callOf(context);
      if (caller.subject === 'slow') return new Promise(() => {});
      if (caller.subject === 'nobody') {
        throw new AppError('USER_NOT_FOUND', {
          detail: 'Who? é',
          errors: [{ path: '/sub', code: 'X', detail: 'unknown' }],
        });
      }
      return {
        role: `${caller.service} ${caller.tenantId} ${requestId} ${traceparent}`,
        permissions: [],
        version: '1',
      };
    },
    createTenant: () => {
      throw new Error('inside');
    },
    unauthenticated: [createGrpcHealth({ services: [PermissionService.typeName], isReady: async () => true })],
  });
  address = server.address;
  connection = await keys.connectAs('gateway', 'identity', address);
  operator = await keys.connectAs('operator', 'identity', address);
});

afterAll(async () => {
  connection.close();
  operator.close();
  await server.close();
  await keys.close();
});

describe('a call between services', () => {
  it('carries the tenant, request id and trace', async () => {
    const options = callOptionsFor({ claims: { tenantId: 't', subject: 'u' }, requestId: 'r-1', traceparent: 'trace' });
    const { role } = await connection.client(PermissionService).getPermissions({}, options);
    expect(role).toBe('gateway t r-1 trace');
  });

  it('fails with the error of the called service', async () => {
    const call = connection
      .client(PermissionService)
      .getPermissions({}, callOptionsFor({ claims: { subject: 'nobody' } }));
    await expect(call).rejects.toMatchObject({
      name: 'AppError',
      code: 'USER_NOT_FOUND',
      message: 'Who? é',
      errors: [{ path: '/sub', code: 'X', detail: 'unknown' }],
    });
  });

  it('fails with all invalid fields', async () => {
    const call = operator.client(TenantAdminService).createTenant({ name: '', ownerEmail: 'x' });
    await expect(call).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [expect.objectContaining({ path: '/name' }), expect.objectContaining({ path: '/owner_email' })],
    });
  });

  it('hides internals of unexpected errors', async () => {
    const call = operator.client(TenantAdminService).createTenant(someTenant);
    await expect(call).rejects.toMatchObject({ code: 'INTERNAL', message: expect.not.stringContaining('inside') });
  });

  it('fails with INTERNAL, not INVALID_TOKEN, if the called service rejects the internal token', async () => {
    // The token names another audience.
    const stranger = await keys.connectAs('gateway', 'survey', address);
    try {
      await expect(stranger.client(PermissionService).getPermissions({})).rejects.toMatchObject({
        code: 'INTERNAL',
        cause: expect.objectContaining({ code: 'INVALID_TOKEN' }),
      });
    } finally {
      stranger.close();
    }
  });

  it('ends at its deadline', async () => {
    const options = { ...callOptionsFor({ claims: { subject: 'slow' } }), timeoutMs: 200 };
    await expect(connection.client(PermissionService).getPermissions({}, options)).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
    });
  });

  it('ends when it is cancelled', async () => {
    const abort = new AbortController();
    const options = { ...callOptionsFor({ claims: { subject: 'slow' } }), signal: abort.signal };
    const call = connection.client(PermissionService).getPermissions({}, options);
    setTimeout(() => abort.abort(), 50);
    await expect(call).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('fails with UNAVAILABLE if nothing listens', async () => {
    const nowhere = await keys.connectAs('gateway', 'identity', '127.0.0.1:1');
    try {
      await expect(nowhere.client(PermissionService).getPermissions({})).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        retryAfterSeconds: 1,
      });
    } finally {
      nowhere.close();
    }
  });
});

describe('without a token', () => {
  it('only health is served', async () => {
    const transport = createGrpcTransport({ address, service: PermissionService });
    try {
      expect(await createClient(Health, transport).check({})).toMatchObject({ status: Status.SERVING });
      await expect(createClient(PermissionService, transport).getPermissions({})).rejects.toMatchObject({
        code: Code.Unauthenticated,
      });
    } finally {
      transport.close();
    }
  });
});
