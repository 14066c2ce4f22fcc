import { connectOperator } from '@survey/local/operator/operator-client';
import type { Stack } from '@survey/local/stack';
import { toPaths } from '@survey/local/stack/folder';
import { issueToken } from '@survey/local/stack/issuer';

/** A tenant of a benchmark's own, as its owner sees it. */
export interface BenchTenant {
  readonly tenantId: string;
  /** Calls the gateway. Throws when the answer is no success. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
}

/** Makes a tenant in a stack whose files are in the folder. */
export async function createBenchTenant(stack: Stack, folder: string): Promise<BenchTenant> {
  const { keys } = toPaths(folder);
  const operator = await connectOperator(keys, stack.info().services['identity']?.grpc ?? '');
  const { tenantId, userId } = await operator.createTenant({ name: 'bench', ownerEmail: 'owner@example.org' });
  operator.close();
  const token = await issueToken(keys, { tenantId, userId, expiresInSeconds: 3600 });
  return {
    tenantId,
    async call(method, path, body) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${stack.info().gateway}${path}`, { method, headers, ...sent });
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
      return response;
    },
  };
}
