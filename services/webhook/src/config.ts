import { Resolver } from 'node:dns';
import { serviceSettings } from '@survey/runtime/config/common-settings';
import { flag, integer, list, text } from '@survey/runtime/config/kinds';
import type { Config, Setting } from '@survey/runtime/config/settings';
import { encryptionKeyring } from '@survey/runtime/crypto/keyring-setting';
import { MAX_RETRIES, MAX_RETRY_SECONDS } from './deliveries/retry-schedule.ts';
import { type AddressRange, parseRange } from './targets/address-rules.ts';
import type { AllowedPorts } from './targets/url-rules.ts';

/** A list whose words are read on their own. */
function listOf<T>(common: Parameters<typeof list>[0], parse: (words: readonly string[]) => T): Setting<T> {
  const words = list(common);
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
  allowHttp: flag({ env: 'WEBHOOK_ALLOW_HTTP', fallback: 'false', help: 'Whether webhooks may have http addresses.' }),
  allowedRanges: listOf<readonly AddressRange[]>(
    {
      env: 'WEBHOOK_ALLOWED_RANGES',
      fallback: '',
      help: 'Ranges (CIDR) that webhooks may go to though they are not public, with commas between them.',
    },
    (words) => words.map(parseRange),
  ),
  refusedRanges: listOf<readonly AddressRange[]>(
    {
      env: 'WEBHOOK_REFUSED_RANGES',
      fallback: '',
      help: 'Ranges (CIDR) that webhooks may not go to whatever else holds, those of the cluster for example, with commas.',
    },
    (words) => words.map(parseRange),
  ),
  allowedPorts: listOf<AllowedPorts>(
    {
      env: 'WEBHOOK_ALLOWED_PORTS',
      fallback: '',
      help: 'Ports beside 80 and 443 that webhooks may go to, with commas between them, or * for any.',
    },
    parsePorts,
  ),
  dnsServers: listOf<readonly string[]>(
    {
      env: 'WEBHOOK_DNS_SERVERS',
      fallback: '',
      help: 'Addresses of the name servers that the names of receivers are looked up with, with commas between them: ones that do not know the names of the cluster, for example. Those of the system when there are none.',
    },
    parseNameServers,
  ),
  timeoutMs: integer({
    env: 'WEBHOOK_TIMEOUT_MS',
    fallback: '30000',
    min: 100,
    max: 30_000,
    help: 'How long an attempt may take, from the look-up of the name to the end of the answer. Milliseconds.',
  }),
  leaseMarginMs: integer({
    env: 'WEBHOOK_LEASE_MARGIN_MS',
    fallback: '30000',
    min: 15_000,
    max: 600_000,
    help: 'Time that the lease of a delivery lasts beyond WEBHOOK_TIMEOUT_MS: for the wait before the attempt and for writing its result. After the lease another replica sends what a killed one had claimed. Milliseconds.',
  }),
  concurrency: integer({
    env: 'WEBHOOK_CONCURRENCY',
    fallback: '4',
    min: 1,
    max: 64,
    help: 'How many attempts of one webhook a process has at the same time at the most.',
  }),
  retrySeconds: listOf<readonly number[]>(
    {
      env: 'WEBHOOK_RETRY_SECONDS',
      fallback: '5,20,80,320,600',
      help: `Pauses between attempts in seconds, ${MAX_RETRIES} at the most, each up to ${MAX_RETRY_SECONDS}.`,
    },
    parsePauses,
  ),
  disableOnGone: flag({
    env: 'WEBHOOK_DISABLE_ON_GONE',
    fallback: 'true',
    help: 'Whether an answer of 410 switches a webhook off; otherwise it is a failure like others.',
  }),
  disableAfterDays: integer({
    env: 'WEBHOOK_DISABLE_AFTER_DAYS',
    fallback: '5',
    min: 1,
    max: 365,
    help: 'After how many days in which every delivery failed for good a webhook is switched off.',
  }),
  retentionDays: integer({
    env: 'WEBHOOK_RETENTION_DAYS',
    fallback: '30',
    min: 1,
    max: 3_650,
    help: 'For how many days deliveries are kept, delivered and failed ones; those that wait stay until they are over.',
  }),
  headerPrefix: {
    env: 'WEBHOOK_HEADER_PREFIX',
    fallback: 'X-Service',
    help: 'What the names of the headers <prefix>-Signature and <prefix>-Delivery begin with.',
    parse: parseHeaderPrefix,
  } satisfies Setting<string>,
};

export type WebhookConfig = Config<typeof settings>;

function parsePorts(words: readonly string[]): AllowedPorts {
  if (words.length === 1 && words[0] === '*') return 'any';
  const ports = words.map(Number);
  if (ports.some((port) => !Number.isInteger(port) || port < 1 || port > 65_535)) {
    throw new Error('has to be a list of ports, 1 to 65535, or *');
  }
  return new Set(ports);
}

function parseNameServers(words: readonly string[]): readonly string[] {
  try {
    // It alone knows what it takes: 192.0.2.1, 192.0.2.1:53, [2001:db8::1]:53.
    new Resolver().setServers(words);
  } catch {
    throw new Error('has to be a list of addresses, each with a port or without');
  }
  return words;
}

function parsePauses(words: readonly string[]): readonly number[] {
  const pauses = words.map(Number);
  const isRight = (pause: number) => pause >= 0 && pause <= MAX_RETRY_SECONDS;
  if (!pauses.every(isRight) || pauses.length > MAX_RETRIES) {
    throw new Error(`has to be a list of at most ${MAX_RETRIES} numbers from 0 to ${MAX_RETRY_SECONDS}`);
  }
  return pauses;
}

function parseHeaderPrefix(raw: string): string {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(raw)) throw new Error('has to be letters, digits and hyphens');
  return raw;
}
