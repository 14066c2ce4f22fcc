import type { Figure } from '../bench-report.ts';
import { load, type Target } from './target.ts';

const MOST_P99_MS = 100;
const MANY_CONNECTIONS = 5_000;

/** Measures latency at half load, even with many keep-alive connections. */
export async function measureAtHalf(target: Target, mostPerSecond: number): Promise<readonly Figure[]> {
  const perSecond = mostPerSecond / 2;
  const few = await load(target, { kind: 'open', connections: 256, perSecond }, 20);
  const many = await load(target, { kind: 'open', connections: MANY_CONNECTIONS, perSecond }, 30);
  const missed = few.failed + few.shed;
  const errors = many.failed + many.shed;
  return [
    { name: 'at half: submits', value: few.perSecond, unit: '1/s' },
    { name: 'at half: rejected or failed', value: missed, unit: 'requests', atMost: 0 },
    { name: 'at half: latency p50', value: few.p50Ms, unit: 'ms' },
    { name: 'at half: latency p99', value: few.p99Ms, unit: 'ms', atMost: MOST_P99_MS },
    { name: `${MANY_CONNECTIONS} connections: submits`, value: many.perSecond, unit: '1/s' },
    { name: `${MANY_CONNECTIONS} connections: errors`, value: errors, unit: 'requests', atMost: 0 },
    { name: `${MANY_CONNECTIONS} connections: latency p99`, value: many.p99Ms, unit: 'ms' },
  ];
}
