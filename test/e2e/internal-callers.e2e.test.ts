import { toPaths } from '@survey/local/stack/folder';
import { loadKey, toKeyFiles } from '@survey/local/stack/keys';
import { serviceNames, services } from '@survey/local/stack/services';
import { type Backend, catalog } from '@survey/proto/catalog';
import { createTokenMinter } from '@survey/runtime/auth/internal-token';
import { accessOf } from '@survey/runtime/rpc/access';
import { connectService } from '@survey/runtime/rpc/service-client';
import { describe, expect, inject, it } from 'vitest';

/** Every process that signs tokens, with the services that accept its tokens at all. */
const processes: Readonly<Record<string, readonly Backend[]>> = {
  gateway: serviceNames,
  operator: serviceNames,
  ...Object.fromEntries(serviceNames.map((name) => [name, services[name].calls])),
};

const internal = serviceNames.flatMap((owner) =>
  catalog[owner].flatMap((service) =>
    service.methods.flatMap((method) => {
      const access = accessOf(method);
      return access.kind === 'internal' ? [{ owner, service, method, callers: access.callers }] : [];
    }),
  ),
);

const table = Object.entries(processes).flatMap(([caller, accepting]) =>
  internal.map(({ callers, ...operation }) => {
    const isAccepted = accepting.includes(operation.owner);
    const result = !isAccepted ? 'INVALID_TOKEN' : callers.has(caller) ? 'admitted' : 'PERMISSION_DENIED';
    return { ...operation, caller, result, name: `${operation.owner} ${operation.method.name}` };
  }),
);

/** Calls an operation with an empty message and the key of a process. */
async function callAs(
  caller: string,
  { owner, service, method }: Omit<(typeof internal)[number], 'callers'>,
): Promise<string> {
  const privateKey = await loadKey(toKeyFiles(toPaths(inject('stackFolder')).keys).internalKeyOf(caller));
  const minter = await createTokenMinter({ service: caller, privateKey });
  const address = inject('stack').services[owner]?.grpc ?? '';
  const connection = connectService({ name: owner, address, minter });
  try {
    // Every operation of the contract is unary.
    const client = connection.client(service) as Record<string, (message: object) => Promise<unknown>>;
    const failed = await client[method.localName]?.({}).then(
      () => undefined,
      ({ reason }) => reason,
    );
    return ['INVALID_TOKEN', 'PERMISSION_DENIED'].includes(failed) ? failed : 'admitted';
  } finally {
    connection.close();
  }
}

describe('an internal operation of a running service', () => {
  it.each(table)('$name called with the key of $caller is $result', async ({ caller, result, ...operation }) => {
    expect(await callAs(caller, operation)).toBe(result);
  });
});
