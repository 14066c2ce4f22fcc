import { connectOperator } from '@survey/local/operator/operator-client';
import type { Stack } from '@survey/local/stack';
import { toPaths } from '@survey/local/stack/folder';
import { issueToken } from '@survey/local/stack/issuer';

/** A tenant of a benchmark's own, as its owner sees it. */
export interface BenchTenant {
  readonly tenantId: string;
  readonly token: string;
  /** Calls the gateway. Throws when the answer is no success. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  /** Sends a file as the body. Throws as `call`. */
  send(path: string, file: Blob): Promise<Response>;
}

/** Makes a tenant in a stack whose files are in the folder. */
export async function createBenchTenant(stack: Stack, folder: string): Promise<BenchTenant> {
  const { keys } = toPaths(folder);
  const operator = await connectOperator(keys, stack.info().services['identity']?.grpc ?? '');
  const { tenantId, userId } = await operator.createTenant({ name: 'bench', ownerEmail: 'owner@example.org' });
  // A benchmark asks for more than anybody is let have.
  await operator.setTenantLimits(tenantId, { requestsPerMinute: 1_000_000_000, concurrentRequests: 1_000_000 });
  operator.close();
  const token = await issueToken(keys, { tenantId, userId, expiresInSeconds: 3600 });
  const authorization = `Bearer ${token}`;
  const request = async (path: string, init: RequestInit) => {
    const response = await fetch(`${stack.info().gateway}${path}`, init);
    if (!response.ok) throw new Error(`${init.method} ${path} answered ${response.status}: ${await response.text()}`);
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
