import { integer, ranges } from '@survey/runtime/config/kinds';
import type { Setting } from '@survey/runtime/config/settings';

/** What the limits of tenants and clients are read from. */
export const limitSettings = {
  requestsPerMinute: atMost({
    env: 'TENANT_REQUESTS_PER_MINUTE',
    fallback: '12000',
    help: 'Requests with tokens and API keys that a tenant may make in a minute, at all gateways together, if it has no limit of its own. Of imports, exports and summaries a quarter of that.',
  }),
  concurrentRequests: atMost({
    env: 'TENANT_CONCURRENT_REQUESTS',
    fallback: '256',
    help: 'Requests that a tenant may have under way at this gateway, if it has no limit of its own. Of imports, exports and summaries a quarter of that.',
  }),
  publicRequestsPerMinute: atMost({
    env: 'CLIENT_PUBLIC_REQUESTS_PER_MINUTE',
    fallback: '6000',
    help: 'Requests without a token that one client may make in a minute at this gateway, half of it at once. A client is an IPv4 address, or the /64 of an IPv6 one.',
  }),
  failedTokensPerMinute: atMost({
    env: 'CLIENT_FAILED_TOKENS_PER_MINUTE',
    fallback: '300',
    help: 'Tokens and API keys that are not good, with which one client may come in a minute at this gateway, half of it at once. After that only those are let in that were good a moment ago.',
  }),
  unlimitedRanges: ranges({
    env: 'CLIENT_UNLIMITED_RANGES',
    fallback: '',
    help: 'Ranges (CIDR) of addresses whose clients may do so without end, with commas between them.',
  }),
};

function atMost(common: Pick<Parameters<typeof integer>[0], 'env' | 'fallback' | 'help'>): Setting<number> {
  return integer({ ...common, min: 1, max: 2 ** 31 - 1 });
}
