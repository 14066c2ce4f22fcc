import type { Registry } from 'prom-client';
import { sharedCounter } from './shared-metrics.ts';

/** Keeps the number of values of a label bounded. */
interface BoundedLabel {
  /** The value itself for the first ones seen, `other` for the rest. */
  of(value: string): string;
}

/**
 * Gives the first `max` values of a label their own series and the rest a shared one, `other`. What goes there is
 * counted in `metrics_label_overflow_total`.
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
  // What was never there before its first increase does not seem to increase.
  overflow.inc({ label: name }, 0);
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
