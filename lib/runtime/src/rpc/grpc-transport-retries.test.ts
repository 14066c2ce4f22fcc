import { constants, createServer, type ServerHttp2Stream, type ServerStreamResponseOptions } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { catalog } from '@survey/proto/catalog';
import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { TenantAdminService } from '@survey/proto/survey/identity/v1/tenant_admin_service_pb';
import { ImportService } from '@survey/proto/survey/imports/v1/import_service_pb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { routesOf } from '../rest/route.ts';
import { closeAfterEach } from '../testing/close-after-each.ts';
import { someTenant, startTestServer } from '../testing/rpc/test-server.ts';
import { createTestKeys, type TestKeys } from '../testing/test-keys.ts';
import { isRetryable, serviceConfigOf } from './grpc-transport.ts';

/** The frame of a message without fields. */
const EMPTY_MESSAGE = Buffer.alloc(5);
const contract = Object.values(catalog).flat();
let keys: TestKeys;
const open = closeAfterEach();

beforeAll(async () => {
  keys = await createTestKeys();
});
afterAll(() => keys.close());

async function connect(address: string) {
  const gateway = await keys.connectAs('gateway', 'identity', address);
  const operator = await keys.connectAs('operator', 'identity', address);
  open.push(gateway, operator);
  return {
    getPermissions: () => gateway.client(PermissionService).getPermissions({}),
    createTenant: () => operator.client(TenantAdminService).createTenant(someTenant),
  };
}

/** A service whose calls fail a number of times; it counts calls. */
async function startFailing(code: ErrorCode, times: number) {
  let calls = 0;
  const reply = () => {
    calls += 1;
    if (calls <= times) throw new AppError(code);
    return {};
  };
  const server = await startTestServer({ jwksFile: keys.jwksFile, getPermissions: reply, createTenant: reply });
  open.push(server);
  return { calls: () => calls, client: await connect(server.address) };
}

/** A server that handles calls as streams of HTTP/2. It counts calls. */
async function startStreams(handle: (stream: ServerHttp2Stream, calls: number) => void) {
  let calls = 0;
  const server = createServer();
  server.on('stream', (stream) => {
    calls += 1;
    stream.on('error', () => {});
    handle(stream, calls);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => server.close() });
  const { port } = server.address() as AddressInfo;
  return { calls: () => calls, client: await connect(`127.0.0.1:${port}`) };
}

const beginReply = (stream: ServerHttp2Stream, options: ServerStreamResponseOptions = {}) =>
  stream.respond({ ':status': 200, 'content-type': 'application/grpc+proto' }, options);

/** A server that breaks the connection of each call, before or after the reply has begun. */
function startBreaking(when: 'before' | 'after' = 'before') {
  return startStreams((stream) => {
    if (when === 'before') return stream.session?.destroy();
    beginReply(stream);
    stream.write(EMPTY_MESSAGE, () => setImmediate(() => stream.session?.destroy()));
  });
}

/** A server that refuses the first calls, as if its connections were closing. */
function startRefusing(times: number) {
  return startStreams((stream, calls) => {
    if (calls <= times) return stream.close(constants.NGHTTP2_REFUSED_STREAM);
    beginReply(stream, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(EMPTY_MESSAGE);
  });
}

describe('the contract', () => {
  it('marks all GETs as free of side effects', () => {
    const reads = routesOf(contract).filter(({ httpMethod }) => httpMethod === 'GET');
    expect(reads.filter(({ method }) => !isRetryable(method)).map(({ template }) => template)).toEqual([]);
  });

  it('does not mark creating operations as idempotent', () => {
    const makers = contract.flatMap(({ methods }) => methods).filter(({ name }) => /^(Create|Add|Submit)/.test(name));
    expect(makers.length).toBeGreaterThan(3);
    expect(makers.filter(isRetryable)).toEqual([]);
  });
});

describe('serviceConfigOf', () => {
  it('retries only marked operations', () => {
    const names = (config: string) => JSON.parse(config).methodConfig.flatMap(({ name }: { name: unknown }) => name);
    const reading = { service: 'survey.identity.v1.PermissionService', method: 'GetPermissions' };
    expect(names(serviceConfigOf(PermissionService))).toEqual([reading]);
    const reads = ['PlanSurveyImport', 'PlanResponseImport', 'ListImports', 'GetImport', 'ListImportErrors'];
    expect(names(serviceConfigOf(ImportService))).toEqual(
      reads.map((method) => ({ service: 'survey.imports.v1.ImportService', method })),
    );
  });
});

describe('a call that may be repeated', () => {
  it('is retried while the server is unavailable', async () => {
    const { calls, client } = await startFailing('UNAVAILABLE', 2);
    await client.getPermissions();
    expect(calls()).toBe(3);
  });

  it('is retried when its connection breaks, and fails after four attempts', async () => {
    const { calls, client } = await startBreaking();
    await expect(client.getPermissions()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(calls()).toBe(4);
  });

  it('is retried once when its connection breaks during the reply', async () => {
    const { calls, client } = await startBreaking('after');
    await expect(client.getPermissions()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(calls()).toBe(2);
  });

  it.each<ErrorCode>(['INTERNAL', 'SURVEY_NOT_FOUND', 'DEADLINE_EXCEEDED', 'TOO_MANY_REQUESTS'])(
    'is not tried again after %s',
    async (code) => {
      const { calls, client } = await startFailing(code, 1);
      await expect(client.getPermissions()).rejects.toMatchObject({ code });
      expect(calls()).toBe(1);
    },
  );
});

describe('a call that may not be repeated', () => {
  it('is sent once if the server is unavailable', async () => {
    const { calls, client } = await startFailing('UNAVAILABLE', 1);
    await expect(client.createTenant()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(calls()).toBe(1);
  });

  it.each(['before', 'after'] as const)('is sent once if its connection breaks (%s the reply)', async (when) => {
    const { calls, client } = await startBreaking(when);
    await expect(client.createTenant()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(calls()).toBe(1);
  });

  it('is sent again while servers refuse it unseen', async () => {
    const { calls, client } = await startRefusing(8);
    await client.createTenant();
    expect(calls()).toBe(9);
  });

  it('fails if it is always refused', async () => {
    const { calls, client } = await startRefusing(Number.POSITIVE_INFINITY);
    await expect(client.createTenant()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(calls()).toBe(12);
  });
});
