import type { DescMethodUnary } from '@bufbuild/protobuf';
import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { toPaths } from '@survey/local/stack/folder';
import { CALLERS, loadKey, toKeyFiles } from '@survey/local/stack/keys';
import { serviceNames } from '@survey/local/stack/services';
import { catalog } from '@survey/proto/catalog';
import { createTokenMinter, type TokenClaims } from '@survey/runtime/auth/internal-token';
import { accessOf } from '@survey/runtime/rpc/access';
import { createGrpcTransport } from '@survey/runtime/rpc/grpc-transport';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { createTenant } from '../support/platform.ts';

const internal = serviceNames.flatMap((owner) =>
  catalog[owner].flatMap((service) =>
    service.methods.flatMap((method) => {
      const access = accessOf(method);
      return access.kind === 'internal' ? [{ owner, service, method, callers: access.callers }] : [];
    }),
  ),
);

const table = Object.entries(CALLERS).flatMap(([caller, accepting]) =>
  internal.map(({ callers, ...operation }) => {
    const isAccepted = accepting.includes(operation.owner);
    const result = !isAccepted ? 'Unauthenticated' : callers.has(caller) ? 'admitted' : 'PermissionDenied';
    return { ...operation, caller, result, name: `${operation.owner} ${operation.method.name}` };
  }),
);

/** Calls an operation with an empty message and the key of a process. Returns the result. */
async function callAs(caller: string, operation: Omit<(typeof internal)[number], 'callers'>): Promise<string> {
  const { owner, service, method } = operation;
  const privateKey = await loadKey(toKeyFiles(toPaths(inject('stackFolder')).keys).internalKeyOf(caller));
  const minter = await createTokenMinter({ service: caller, privateKey });
  const authorize: Interceptor = (next) => async (request) => {
    request.header.set('authorization', `Bearer ${await minter.mint(owner, subject)}`);
    return next(request);
  };
  const address = inject('stack').services[owner]?.grpc ?? '';
  const transport = createGrpcTransport({ address, service, interceptors: [authorize] });
  try {
    // All operations of the contract are unary.
    await transport.unary(method as DescMethodUnary, undefined, undefined, undefined, {});
    return 'admitted';
  } catch (error) {
    const { code } = ConnectError.from(error);
    return code === Code.Unauthenticated || code === Code.PermissionDenied ? Code[code] : 'admitted';
  } finally {
    transport.close();
  }
}

let subject: TokenClaims;
beforeAll(async () => {
  const { tenantId, userId } = await createTenant();
  subject = { tenantId, subject: userId };
});

describe('an internal operation of a running service', () => {
  it.each(table)('$name called with the key of $caller is $result', async ({ caller, result, ...operation }) => {
    expect(await callAs(caller, operation)).toBe(result);
  });
});
