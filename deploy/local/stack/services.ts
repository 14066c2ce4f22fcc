import type { Backend } from '@survey/proto/catalog';

/** What one service needs beside what all need. */
interface ServiceNeeds {
  /** Services that it calls. */
  readonly calls: readonly Backend[];
  readonly encrypts: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** The services of the stack, in the order of their usual ports. */
export const services: Readonly<Record<Backend, ServiceNeeds>> = {
  identity: { calls: [], encrypts: true },
  survey: { calls: [], encrypts: true },
  response: { calls: ['survey'], encrypts: true },
  webhook: {
    calls: ['response'],
    encrypts: true,
    // Receivers of a developer run on this machine.
    env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8,::1/128', WEBHOOK_ALLOWED_PORTS: '*' },
  },
  import: { calls: ['survey', 'response'], encrypts: false },
};

// The keys of a record of backends are backends.
export const serviceNames = Object.keys(services) as readonly Backend[];
