import type { AddressRanges } from '@survey/runtime/limits/client';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { createRateLimits } from './rate-limits.ts';
import { createRejectionCounter } from './rejection-metrics.ts';

type Options = Parameters<typeof createRateLimits>[0];

interface Dependencies extends Pick<Options, 'submitsPerMinute' | 'uploadsPerMinute' | 'failedLookupsPerMinute'> {
  readonly unlimitedRanges: AddressRanges;
}

export function createRateLimitModule(
  { registry, now }: ServiceRuntime,
  { unlimitedRanges, ...perMinute }: Dependencies,
) {
  const countRejection = createRejectionCounter(registry);
  const rateLimits = createRateLimits({ ...perMinute, unlimited: unlimitedRanges, countRejection, now });
  return { api: { rateLimits, countRejection } };
}
