import { Code, createClient } from '@connectrpc/connect';
import { Health, HealthCheckResponse_ServingStatus as Status } from '@survey/proto/grpc/health/v1/health_pb';
import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/rpc/test-server.ts';
import { createTestKeys, type TestKeys } from '../testing/test-keys.ts';
import { createGrpcHealth } from './grpc-server.ts';
import { createGrpcTransport, type GrpcTransport } from './grpc-transport.ts';

let keys: TestKeys;
let server: TestServer;
let transport: GrpcTransport;
let ready = true;

beforeAll(async () => {
  keys = await createTestKeys();
  const health = createGrpcHealth({ services: [PermissionService.typeName], isReady: async () => ready });
  server = await startTestServer({ jwksFile: keys.jwksFile, unauthenticated: [health] });
  transport = createGrpcTransport({ address: server.address, service: Health });
});
afterAll(async () => {
  transport.close();
  await server.close();
  await keys.close();
});

const check = (service: string) => createClient(Health, transport).check({ service });

describe('health over gRPC', () => {
  it.each(['', PermissionService.typeName])('of "%s" follows the process', async (service) => {
    ready = true;
    expect(await check(service)).toMatchObject({ status: Status.SERVING });
    ready = false;
    expect(await check(service)).toMatchObject({ status: Status.NOT_SERVING });
  });

  it.each(['x', 'survey.identity.v1.permissionservice', '__proto__'])('of "%s" is not found', async (service) => {
    await expect(check(service)).rejects.toMatchObject({ code: Code.NotFound });
  });

  it('lists all services', async () => {
    ready = true;
    const { statuses } = await createClient(Health, transport).list({});
    expect(Object.keys(statuses).sort()).toEqual(['', PermissionService.typeName]);
  });
});
