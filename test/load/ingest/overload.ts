import type { Figure } from '../bench-report.ts';
import { load, type Target } from './target.ts';

const CONNECTIONS = 2_000;
const MOST_MS = 1_000;
const MOST_P99_AFTER_MS = 100;

/** Runs double load: accepted requests must be fast, and latency must recover afterwards. */
export async function overload(target: Target, mostPerSecond: number): Promise<readonly Figure[]> {
  const twice = await load(target, { kind: 'open', connections: CONNECTIONS, perSecond: 2 * mostPerSecond }, 20);
  const after = await load(target, { kind: 'open', connections: 256, perSecond: mostPerSecond / 2 }, 10);
  if (twice.failed > 0) console.error('failed at twice', twice.failures);
  const missed = after.failed + after.shed;
  const replied = twice.succeeded + twice.shed + twice.failed;
  return [
    { name: 'at twice: submits', value: twice.perSecond, unit: '1/s' },
    { name: 'at twice: rejected with 503 and Retry-After', value: (twice.shed / replied) * 100, unit: '%' },
    { name: 'at twice: failed otherwise', value: twice.failed, unit: 'requests', atMost: 0 },
    { name: 'at twice: latency p99', value: twice.p99Ms, unit: 'ms' },
    { name: 'at twice: longest latency', value: twice.maxMs, unit: 'ms', atMost: MOST_MS },
    { name: 'after it: rejected or failed', value: missed, unit: 'requests', atMost: 0 },
    {
      name: 'after it: latency p99',
      value: after.p99Ms,
      unit: 'ms',
      atMost: MOST_P99_AFTER_MS,
    },
  ];
}
