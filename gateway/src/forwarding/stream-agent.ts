import http from 'node:http';
import https from 'node:https';
import { createSecureContext } from 'node:tls';
import { type ForwarderOptions, KEEP_MS, MAX_IN_FLIGHT } from './forwarder.ts';

type Options = Pick<ForwarderOptions, 'url' | 'tls' | 'lookup'>;

/** Connections to one service. */
export interface StreamAgent {
  readonly agent: http.Agent;
  /** Closes those that are kept. */
  close(): void;
}

/** New connections to an https address show the certificate, and trust the CA, that are the latest. */
export function createStreamAgent({ url, tls, lookup }: Options): StreamAgent {
  const options = { keepAlive: true, scheduling: 'lifo', maxSockets: MAX_IN_FLIGHT, timeout: KEEP_MS, lookup } as const;
  if (!url.startsWith('https:') || tls === undefined) {
    const agent = new (url.startsWith('https:') ? https : http).Agent(options);
    return { agent, close: () => agent.destroy() };
  }
  const agent = new https.Agent(options);
  const renew = () => {
    agent.options.secureContext = createSecureContext(tls.current());
  };
  renew();
  const unfollow = tls.onChange(renew);
  return {
    agent,
    close() {
      unfollow();
      agent.destroy();
    },
  };
}
