import { integer, ranges } from '@survey/runtime/config/kinds';
import type { Setting } from '@survey/runtime/config/settings';

/** Environment variables for the limits of tenants and clients. */
export const limitSettings = {
  requestsPerMinute: positiveInteger({
    env: 'TENANT_REQUESTS_PER_MINUTE',
    fallback: '12000',
    help: 'Default rate limit of a tenant, for requests with tokens and API keys at all gateways together. Imports, exports, downloads and summaries may use a quarter.',
  }),
  concurrentRequests: positiveInteger({
    env: 'TENANT_CONCURRENT_REQUESTS',
    fallback: '256',
    help: 'Default concurrency limit of a tenant at this gateway. Imports, exports, downloads and summaries may use a quarter.',
  }),
  publicRequestsPerMinute: positiveInteger({
    env: 'CLIENT_PUBLIC_REQUESTS_PER_MINUTE',
    fallback: '6000',
    help: 'Requests without a token that one client may send per minute to this gateway. Up to half of them can come at once. A client is an IPv4 address, or the /64 network of an IPv6 address.',
  }),
  concurrentPublicRequests: positiveInteger({
    env: 'CLIENT_PUBLIC_CONCURRENT_REQUESTS',
    fallback: '400',
    help: 'Requests of public routes that one client may have in progress at this gateway. Respondents behind one address are one client.',
  }),
  failedTokensPerMinute: positiveInteger({
    env: 'CLIENT_FAILED_TOKENS_PER_MINUTE',
    fallback: '300',
    help: 'Invalid tokens and API keys that one client may send per minute to this gateway. Up to half of them can come at once. Above that, only credentials that were valid recently are admitted.',
  }),
  unlimitedRanges: ranges({
    env: 'CLIENT_UNLIMITED_RANGES',
    fallback: '',
    help: 'Comma-separated address ranges (CIDR) of clients that are exempt from the limits of clients.',
  }),
};

function positiveInteger(common: Pick<Parameters<typeof integer>[0], 'env' | 'fallback' | 'help'>): Setting<number> {
  return integer({ ...common, min: 1, max: 2 ** 31 - 1 });
}
