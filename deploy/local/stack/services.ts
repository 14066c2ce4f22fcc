import type { Backend } from '@survey/proto/catalog';

/** Configuration of one service, in addition to the common one. */
interface ServiceSettings {
  readonly calls: readonly Backend[];
  readonly env?: Readonly<Record<string, string>>;
}

export const LOOPBACK = '127.0.0.0/8,::1/128';
/** Origins of all pages on this machine. */
const LOOPBACK_ORIGINS = 'http://localhost:*,http://127.0.0.1:*,http://[::1]:*';

/** Configuration of the gateway for a developer, in addition to addresses, keys and rules for tokens. */
export const gatewayEnv = {
  // All clients of a developer are on this machine.
  CLIENT_UNLIMITED_RANGES: LOOPBACK,
  DOCS_KEEP_TOKEN: 'true',
  CONSOLE_SIGN_IN_BY_LINK: 'true',
  METRICS_PAGE: 'public',
  CORS_ORIGINS: LOOPBACK_ORIGINS,
} as const satisfies Readonly<Record<string, string>>;

/** The services of the stack, in the order of their default ports. */
export const services: Readonly<Record<Backend, ServiceSettings>> = {
  identity: { calls: [] },
  survey: { calls: ['response'] },
  response: {
    calls: ['survey'],
    // All respondents of a developer are on this machine.
    env: {
      PUBLIC_UNLIMITED_RANGES: LOOPBACK,
      // Limit the heap: exports leave much garbage, and the process would grow by 150 MB with V8's defaults.
      NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=512',
      MALLOC_ARENA_MAX: '1',
    },
  },
  webhook: {
    calls: ['survey', 'response'],
    // Webhook receivers of a developer run on this machine.
    env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_RANGES: LOOPBACK, WEBHOOK_ALLOWED_PORTS: '*' },
  },
  import: {
    calls: ['survey', 'response'],
    // Limit the heap of the main thread; threads that read files have their own limits. The malloc options return freed
    // memory to the system immediately.
    env: {
      NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=256',
      MALLOC_ARENA_MAX: '1',
      MALLOC_MMAP_THRESHOLD_: '131072',
    },
  },
};

// The record has exactly the backends as keys.
export const serviceNames = Object.keys(services) as readonly Backend[];
