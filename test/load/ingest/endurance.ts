import type { Figure } from '../bench-report.ts';
import { watchGrowth } from '../memory-growth.ts';
import { FULL, load, type Target } from './target.ts';

/** Runs full load for minutes, and checks failures and memory growth. */
export async function measureEndurance(
  target: Target,
  names: readonly string[],
  minutes: number,
): Promise<readonly Figure[]> {
  const duration = `${minutes} minutes`;
  const pids = new Map(names.map((name) => [name, target.pids.get(name) ?? 0]));
  const { outcome, figures } = await watchGrowth(duration, pids, () => load(target, FULL, minutes * 60));
  const { failed } = outcome;
  return [{ name: `${duration}: failed`, value: failed, unit: 'requests', atMost: 0 }, ...figures];
}
