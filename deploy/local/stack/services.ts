import type { Backend } from '@survey/proto/catalog';

/** What one service needs beside what all need. */
interface ServiceNeeds {
  /** Services that it calls. */
  readonly calls: readonly Backend[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Addresses of this machine. */
export const LOOPBACK = '127.0.0.0/8,::1/128';

/** The services of the stack, in the order of their usual ports. */
export const services: Readonly<Record<Backend, ServiceNeeds>> = {
  identity: { calls: [] },
  survey: { calls: [] },
  response: {
    calls: ['survey'],
    // Respondents of a developer are all on this machine.
    env: {
      PUBLIC_UNLIMITED_RANGES: LOOPBACK,
      // What exports leave behind is soon garbage: with room for it as V8 likes it a process would grow by 150 MB.
      NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=512',
      MALLOC_ARENA_MAX: '1',
    },
  },
  webhook: {
    calls: ['survey', 'response'],
    // Receivers of a developer run on this machine.
    env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_RANGES: LOOPBACK, WEBHOOK_ALLOWED_PORTS: '*' },
  },
  import: {
    calls: ['survey', 'response'],
    // What files leave behind is soon garbage: with much room for it a process would grow by 200 MB and gain
    // nothing. Pieces of files go back to the system at once, and threads share the room of `malloc`.
    env: {
      NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=512',
      MALLOC_ARENA_MAX: '1',
      MALLOC_MMAP_THRESHOLD_: '131072',
    },
  },
};

// The keys of a record of backends are backends.
export const serviceNames = Object.keys(services) as readonly Backend[];
