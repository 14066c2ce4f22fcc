import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@survey/local/stack';
import type { Bench } from '../bench-report.ts';
import { createBenchTenant } from '../bench-tenant.ts';
import { forkServer } from '../forked-server.ts';
import { measureBadClients } from '../gateway/bad-client-load.ts';
import { compareWithBare } from '../gateway/compare-with-bare.ts';
import { createPost } from '../gateway/hops.ts';
import { keepIdle } from '../gateway/idle-connections.ts';
import { measureOverhead } from '../gateway/latency-overhead.ts';
import { BODY, toRequests } from '../gateway/requests.ts';
import { startReplica } from '../replica.ts';

/** Duration of the load by bad clients. */
const MINUTES = Number(process.env['SURVEY_BENCH_MINUTES'] ?? 10);

/** Measures the gateway compared with a bare proxy, and under bad clients. */
export const bench: Bench = async () => {
  const cleanup = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'survey-bench-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const stack = await startStack({ dir: folder, demo: false, log: (line) => console.error(line) });
    cleanup.defer(stack.stop);
    const { token } = await createBenchTenant(stack, folder);
    const upstream = await forkServer('proxied-upstream.ts');
    cleanup.defer(upstream.stop);
    const bare = await forkServer('bare-proxy.ts', [upstream.origin]);
    cleanup.defer(bare.stop);
    // Like in the stack, except for the upstream services.
    const env = { RESPONSE_URL: upstream.origin, IMPORT_URL: upstream.origin };
    const gateway = await startReplica({ stack, folder, part: 'gateway', env });
    cleanup.defer(gateway.stop);

    const requests = toRequests(token);
    const post = createPost({ upstream, bare, gateway }, token);
    const { figures, mostPerSecond } = await compareWithBare(post);
    const half = await measureOverhead(post, mostPerSecond);
    const idle = await keepIdle(gateway, post, requests.post + BODY);
    return [...figures, ...half, ...idle, ...(await measureBadClients(gateway, requests, MINUTES))];
  } finally {
    await cleanup.disposeAsync();
  }
};
