import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { TenantAdminService } from '@survey/proto/survey/identity/v1/tenant_admin_service_pb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError, type FieldProblem } from '../errors/app-error.ts';
import { toAppError } from '../errors/error-mapping.ts';
import { someTenant, startTestServer, type TestServer } from '../testing/rpc/test-server.ts';
import { createTestKeys, type TestKeys } from '../testing/test-keys.ts';
import { GRPC_MAX_MESSAGE_BYTES } from './grpc-server.ts';
import { callOptionsFor, type ServiceConnection } from './service-client.ts';

const OVER = GRPC_MAX_MESSAGE_BYTES + 1;
const FITS = GRPC_MAX_MESSAGE_BYTES - 1024;

let keys: TestKeys;
let server: TestServer;
let connection: ServiceConnection;
let operator: ServiceConnection;
let role = '';
let problems: readonly FieldProblem[] = [];
let text = 'wrong';

beforeAll(async () => {
  keys = await createTestKeys();
  server = await startTestServer({
    jwksFile: keys.jwksFile,
    getPermissions: () => ({ role }),
    createTenant: () => {
      throw new AppError('INVALID_DEFINITION', { detail: text, errors: problems });
    },
  });
  connection = await keys.connectAs('gateway', 'identity', server.address);
  operator = await keys.connectAs('operator', 'identity', server.address);
});
afterAll(async () => {
  connection.close();
  operator.close();
  await server.close(0);
  await keys.close();
});

async function expectService(): Promise<void> {
  role = 'viewer';
  expect(await connection.client(PermissionService).getPermissions({})).toMatchObject({ role });
}

const tooLarge = { code: 'MESSAGE_TOO_LARGE', status: 413 };

describe('a message', () => {
  it('just below the limit arrives, also several at a time', async () => {
    role = 'x'.repeat(FITS);
    const client = connection.client(PermissionService);
    // A busy machine needs longer than the default timeout.
    const replies = await Promise.all([1, 2, 3, 4].map(() => client.getPermissions({}, { timeoutMs: 60_000 })));
    expect(replies.map((reply) => reply.role.length)).toEqual([FITS, FITS, FITS, FITS]);
  });

  it('over the limit is not sent', async () => {
    const call = operator.client(TenantAdminService).createTenant({ ...someTenant, name: 'x'.repeat(OVER) });
    await expect(call).rejects.toMatchObject(tooLarge);
    await expectService();
  });

  it('over the limit is not read if a client sends it', async () => {
    const client = new Client(server.address, credentials.createInsecure());
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${await (await keys.minterOf('operator')).mint('identity', {})}`);
    const path = `/${TenantAdminService.typeName}/CreateTenant`;
    const failure = await new Promise<ServiceError | null>((resolve) => {
      client.makeUnaryRequest(path, Buffer.from, Buffer.from, Buffer.alloc(OVER), metadata, resolve);
    });
    client.close();
    expect(failure?.code).toBe(status.RESOURCE_EXHAUSTED);
    await expectService();
  });

  it('over the limit is not sent back', async () => {
    role = 'x'.repeat(OVER);
    const call = connection.client(PermissionService).getPermissions({});
    await expect(call).rejects.toMatchObject(tooLarge);
    await expectService();
  });
});

describe('headers', () => {
  it('that are too many are rejected', async () => {
    const options = { ...callOptionsFor({}), headers: { 'x-large': 'x'.repeat(100_000) } };
    const call = connection.client(PermissionService).getPermissions({}, options);
    await expect(call).rejects.toMatchObject(tooLarge);
    await expectService();
  });

  it.each([10, 200, 5_000])('carry as many of %i field problems as fit', async (count) => {
    problems = Array.from({ length: count }, (_, at) => ({ path: `/items/${at}`, code: 'X', detail: 'is é wrong' }));
    const call = operator.client(TenantAdminService).createTenant(someTenant);
    const error = await call.catch(toAppError);
    expect(error).toMatchObject({ code: 'INVALID_DEFINITION' });
    const { errors } = error as AppError;
    expect(errors.length).toBeGreaterThan(Math.min(count, 100) - 1);
    expect(errors).toEqual(problems.slice(0, errors.length));
    await expectService();
  });

  it('carry the beginning of a text that is too long', async () => {
    text = 'é'.repeat(100_000);
    const call = operator.client(TenantAdminService).createTenant(someTenant);
    await expect(call).rejects.toMatchObject({ code: 'INVALID_DEFINITION', message: 'é'.repeat(1_000) });
    await expectService();
  });
});
