import { connectOperator } from '@survey/local/operator/operator-client';
import type { Stack } from '@survey/local/stack';
import { toPaths } from '@survey/local/stack/folder';
import { issueToken } from '@survey/local/stack/issuer';

/** A new tenant for a benchmark. */
export interface BenchTenant {
  readonly tenantId: string;
  readonly token: string;
  /** Calls the gateway. Throws unless the reply is successful. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  /** Sends a file as the body. Throws like `call`. */
  send(path: string, file: Blob): Promise<Response>;
}

/** Creates a tenant in the stack of this folder. */
export async function createBenchTenant(stack: Stack, folder: string): Promise<BenchTenant> {
  const { keys } = toPaths(folder);
  const operator = await connectOperator(keys, stack.info().services['identity']?.grpc ?? '');
  const { tenantId, userId } = await operator.createTenant({ name: 'bench', ownerEmail: 'owner@example.org' });
  // Benchmarks exceed the default limits.
  await operator.setTenantLimits(tenantId, { requestsPerMinute: 1_000_000_000, concurrentRequests: 1_000_000 });
  operator.close();
  const token = await issueToken(keys, { tenantId, userId, expiresInSeconds: 3600 });
  const authorization = `Bearer ${token}`;
  const request = async (path: string, init: RequestInit) => {
    const response = await fetch(`${stack.info().gateway}${path}`, init);
    if (!response.ok) throw new Error(`${init.method} ${path} returned ${response.status}: ${await response.text()}`);
    return response;
  };
  return {
    tenantId,
    token,
    call(method, path, body) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return request(path, { method, headers: { authorization, 'content-type': 'application/json' }, ...sent });
    },
    send: (path, file) =>
      request(path, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/octet-stream' },
        body: file,
      }),
  };
}
