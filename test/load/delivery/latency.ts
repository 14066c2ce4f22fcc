import { setTimeout as sleep } from 'node:timers/promises';
import { poll } from '@survey/runtime/testing/poll';
import type { Figure } from '../bench-report.ts';
import { eventFor, nth, type Parts, type Target } from './targets.ts';

const PER_SECOND = 200;
/** Events that arrive later than this after the end of a load count as lost. */
const LATEST = { timeoutMs: 60_000 };

/**
 * Publishes 200 events per second, each to another webhook; due events are published together. Returns the number of
 * events for webhooks that reply.
 */
async function publishEvenly(
  { service }: Parts,
  targets: readonly Target[],
  { load, seconds }: { readonly load: number; readonly seconds: number },
): Promise<number> {
  const start = performance.now();
  const total = PER_SECOND * seconds;
  let healthy = 0;
  for (let n = 0; n < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - start) * PER_SECOND) / 1000) + 1) - n;
    // Not in order, so similar webhooks are not adjacent.
    const next = Array.from({ length: due }, (_, index) => nth(targets, (n + index) * 389));
    if (due > 0) await service.publisher.publish(next.map((target) => eventFor(target, load)));
    else await sleep(2);
    healthy += next.filter(({ isMute }) => !isMute).length;
    n += due;
  }
  return healthy;
}

/** Measures the delay of all events of a load, none of which may be missing. */
export async function latency(
  { name, atMost, seconds }: { readonly name: string; readonly atMost: number; readonly seconds: number },
  parts: Parts,
  targets: readonly Target[],
): Promise<readonly Figure[]> {
  const load = await parts.receivers.reset();
  const sent = await publishEvenly(parts, targets, { load, seconds });
  // Missing events are below the limit.
  await poll(async () => (await parts.receivers.report()).fresh === sent, LATEST).catch(() => undefined);
  const { fresh, repeated, p50Ms, p99Ms, maxMs } = await parts.receivers.report();
  return [
    { name: `${name}: received`, value: fresh, unit: 'events', atLeast: sent, atMost: sent },
    { name: `${name}: came more than once`, value: repeated, unit: 'deliveries' },
    { name: `${name}: p50`, value: p50Ms, unit: 'ms' },
    { name: `${name}: p99`, value: p99Ms, unit: 'ms', atMost },
    { name: `${name}: longest`, value: maxMs, unit: 'ms' },
  ];
}
