import type { AddressRanges } from '@survey/runtime/flow/client';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { createRateLimits, createRejectionCounter } from './rate-limits.ts';

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
