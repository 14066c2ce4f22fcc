import type { Registry } from 'prom-client';
import { sharedCounter } from './shared-metrics.ts';
import { startAtZero } from './start-at-zero.ts';

/** Limits the number of values of a label. */
interface BoundedLabel {
  /** Returns one of the first `max` values unchanged, and `other` for all further ones. */
  of(value: string): string;
}

/**
 * Keeps the first `max` values of a label, and replaces later ones by `other`. The counter
 * `metrics_label_overflow_total` counts the replacements.
 */
export function createBoundedLabel({
  name,
  max,
  registry,
}: {
  name: string;
  max: number;
  registry: Registry;
}): BoundedLabel {
  const known = new Set<string>();
  const overflow = sharedCounter(registry, {
    name: 'metrics_label_overflow_total',
    help: 'Observations whose label value was replaced by `other`.',
    labelNames: ['label'],
    aggregator: 'sum',
  });
  startAtZero(overflow, { label: name });
  return {
    of(value) {
      if (known.has(value)) return value;
      if (known.size < max) {
        known.add(value);
        return value;
      }
      overflow.inc({ label: name });
      return 'other';
    },
  };
}
