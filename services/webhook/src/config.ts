import { Resolver } from 'node:dns';
import { serviceSettings } from '@survey/runtime/config/common-settings';
import { flag, integer, list, text } from '@survey/runtime/config/kinds';
import type { Config, Setting } from '@survey/runtime/config/settings';
import { encryptionKeyring } from '@survey/runtime/crypto/keyring';
import { MAX_RETRIES, MAX_RETRY_SECONDS } from './deliveries/delivery.ts';
import { type AddressRange, parseRange } from './targets/address-rules.ts';
import type { AllowedPorts } from './targets/target.ts';

/** A list setting with its own parser. */
function listOf<T>(options: Parameters<typeof list>[0], parse: (words: readonly string[]) => T): Setting<T> {
  const words = list(options);
  return { ...words, parse: (raw) => parse(words.parse(raw)) };
}

export const settings = {
  ...serviceSettings,
  mongodbDatabase: text({ env: 'MONGODB_DATABASE', fallback: 'survey-webhook', help: 'Database of this service.' }),
  encryptionKeyring,
  surveyGrpcAddress: text({
    env: 'SURVEY_GRPC_ADDRESS',
    help: 'gRPC address of the survey service: host:port, or a gRPC target.',
  }),
  responseGrpcAddress: text({
    env: 'RESPONSE_GRPC_ADDRESS',
    help: 'gRPC address of the response service: host:port, or a gRPC target.',
  }),
  allowHttp: flag({ env: 'WEBHOOK_ALLOW_HTTP', fallback: 'false', help: 'Whether webhooks may use http URLs.' }),
  allowedRanges: listOf<readonly AddressRange[]>(
    {
      env: 'WEBHOOK_ALLOWED_RANGES',
      fallback: '',
      help: 'Comma-separated CIDR ranges that are allowed for webhooks although they are not public.',
    },
    (words) => words.map(parseRange),
  ),
  refusedRanges: listOf<readonly AddressRange[]>(
    {
      env: 'WEBHOOK_REFUSED_RANGES',
      fallback: '',
      help: 'Comma-separated CIDR ranges that webhooks must not reach even if public or allowed, such as those of the cluster.',
    },
    (words) => words.map(parseRange),
  ),
  allowedPorts: listOf<AllowedPorts>(
    {
      env: 'WEBHOOK_ALLOWED_PORTS',
      fallback: '',
      help: 'Comma-separated ports that webhooks may use besides 80 and 443, or * for any.',
    },
    parsePorts,
  ),
  dnsServers: listOf<readonly string[]>(
    {
      env: 'WEBHOOK_DNS_SERVERS',
      fallback: '',
      help: 'Comma-separated IP addresses of name servers for hosts of webhooks, each with or without a port. Use servers that do not resolve names of the cluster. If empty, the name servers of the system are used.',
    },
    parseNameServers,
  ),
  timeoutMs: integer({
    env: 'WEBHOOK_TIMEOUT_MS',
    fallback: '30000',
    min: 100,
    max: 30_000,
    help: 'Timeout of an attempt, from the DNS lookup to the end of the reply. Milliseconds.',
  }),
  leaseMarginMs: integer({
    env: 'WEBHOOK_LEASE_MARGIN_MS',
    fallback: '30000',
    min: 15_000,
    max: 600_000,
    help: 'The lease of a delivery lasts WEBHOOK_TIMEOUT_MS plus this time, for the wait before the attempt and storing its result. When the lease of a killed replica ends, another one sends the delivery. Milliseconds.',
  }),
  concurrency: integer({
    env: 'WEBHOOK_CONCURRENCY',
    fallback: '4',
    min: 1,
    max: 64,
    help: 'Maximum number of concurrent attempts of one webhook in one process.',
  }),
  retrySeconds: listOf<readonly number[]>(
    {
      env: 'WEBHOOK_RETRY_SECONDS',
      fallback: '5,20,80,320,600',
      help: `Comma-separated pauses before retries: at most ${MAX_RETRIES}, each up to ${MAX_RETRY_SECONDS}. Seconds.`,
    },
    parsePauses,
  ),
  disableOnGone: flag({
    env: 'WEBHOOK_DISABLE_ON_GONE',
    fallback: 'true',
    help: 'Whether a reply of 410 disables a webhook. If false, the delivery is retried as after other failures.',
  }),
  disableAfterDays: integer({
    env: 'WEBHOOK_DISABLE_AFTER_DAYS',
    fallback: '5',
    min: 1,
    max: 365,
    help: 'A webhook is disabled if all its deliveries have failed for this long. Days.',
  }),
  retentionDays: integer({
    env: 'WEBHOOK_RETENTION_DAYS',
    fallback: '30',
    min: 1,
    max: 3_650,
    help: 'Deliveries that are over are kept for this long. Waiting ones stay. Days.',
  }),
  headerPrefix: {
    env: 'WEBHOOK_HEADER_PREFIX',
    fallback: 'X-Service',
    help: 'Prefix of the headers <prefix>-Signature and <prefix>-Delivery.',
    parse: parseHeaderPrefix,
  } satisfies Setting<string>,
};

export type WebhookConfig = Config<typeof settings>;

function parsePorts(words: readonly string[]): AllowedPorts {
  if (words.length === 1 && words[0] === '*') return 'any';
  const ports = words.map(Number);
  if (ports.some((port) => !Number.isInteger(port) || port < 1 || port > 65_535)) {
    throw new Error('must be a list of ports, 1 to 65535, or *');
  }
  return new Set(ports);
}

function parseNameServers(words: readonly string[]): readonly string[] {
  try {
    // Accepts 192.0.2.1, 192.0.2.1:53 and [2001:db8::1]:53.
    new Resolver().setServers(words);
  } catch {
    throw new Error('must be a list of IP addresses, each with or without a port');
  }
  return words;
}

function parsePauses(words: readonly string[]): readonly number[] {
  const pauses = words.map(Number);
  const isValid = (pause: number) => pause >= 0 && pause <= MAX_RETRY_SECONDS;
  if (!pauses.every(isValid) || pauses.length > MAX_RETRIES) {
    throw new Error(`must be a list of at most ${MAX_RETRIES} numbers from 0 to ${MAX_RETRY_SECONDS}`);
  }
  return pauses;
}

function parseHeaderPrefix(raw: string): string {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(raw)) throw new Error('must be letters, digits and hyphens');
  return raw;
}
