import { type Figure, median } from '../bench-report.ts';
import type { Round } from '../measured-load.ts';
import type { Post } from './hops.ts';

const ROUNDS = 5;
const SECONDS = 10;
/** Compared with the bare proxy: see ADR 87. */
const MOST_TIMES = 3;

/**
 * Measures the added latency of the gateway at half load, in alternation with direct requests. The bare proxy shows the
 * share of any additional process.
 */
export async function measureOverhead(post: Post, mostPerSecond: number): Promise<readonly Figure[]> {
  const model = { kind: 'open', connections: 64, perSecond: mostPerSecond / 2 } as const;
  const rounds: { past: Round; bare: Round; through: Round }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({
      past: await post('upstream', model, SECONDS),
      bare: await post('bare', model, SECONDS),
      through: await post('gateway', model, SECONDS),
    });
  const medianOf = (read: (round: (typeof rounds)[number]) => number) => median(rounds.map(read));
  const overhead = medianOf(({ past, through }) => through.p99Ms - past.p99Ms);
  const ofBare = medianOf(({ past, bare }) => bare.p99Ms - past.p99Ms);
  const times = overhead / ofBare;
  const missed = rounds.reduce((sum, { through }) => sum + through.failed + through.shed, 0);
  for (const { through } of rounds)
    if (through.failed + through.shed > 0) console.error('failed at half load', through.failures, through.shed);
  const name = 'at half load';
  return [
    { name: `${name}: requests`, value: medianOf(({ through }) => through.perSecond), unit: '1/s' },
    { name: `${name}: failed`, value: missed, unit: 'requests', atMost: 0 },
    { name: `${name}: latency p50 past the gateway`, value: medianOf(({ past }) => past.p50Ms), unit: 'ms' },
    { name: `${name}: latency p50 through the bare proxy`, value: medianOf(({ bare }) => bare.p50Ms), unit: 'ms' },
    { name: `${name}: latency p50 through it`, value: medianOf(({ through }) => through.p50Ms), unit: 'ms' },
    { name: `${name}: latency p99 past the gateway`, value: medianOf(({ past }) => past.p99Ms), unit: 'ms' },
    { name: `${name}: latency p99 through the bare proxy`, value: medianOf(({ bare }) => bare.p99Ms), unit: 'ms' },
    { name: `${name}: latency p99 through it`, value: medianOf(({ through }) => through.p99Ms), unit: 'ms' },
    { name: `${name}: added to p99 by the bare proxy`, value: ofBare, unit: 'ms' },
    { name: `${name}: added to p99`, value: overhead, unit: 'ms' },
    {
      name: `${name}: added to p99, gateway to bare`,
      value: times,
      unit: 'ratio',
      atMost: MOST_TIMES,
    },
  ];
}
