import http from 'node:http';
import https from 'node:https';
import { createSecureContext } from 'node:tls';
import { type ForwarderOptions, KEEP_ALIVE_MS } from './forwarder.ts';

type Options = Pick<ForwarderOptions, 'url' | 'tls' | 'lookup' | 'connections'>;

/** An HTTP agent with connections to one service. */
export interface StreamAgent {
  readonly agent: http.Agent;
  /** Closes all connections. */
  close(): void;
}

/** Creates an agent. New TLS connections use the latest certificate and CA. */
export function createStreamAgent({ url, tls, lookup, connections }: Options): StreamAgent {
  const options = {
    keepAlive: true,
    scheduling: 'lifo',
    maxSockets: connections,
    timeout: KEEP_ALIVE_MS,
    lookup,
  } as const;
  if (!url.startsWith('https:') || tls === undefined) {
    const agent = new (url.startsWith('https:') ? https : http).Agent(options);
    return { agent, close: () => agent.destroy() };
  }
  // A resumed session would keep the verification with an earlier CA.
  const agent = new https.Agent({ ...options, maxCachedSessions: 0 });
  const renew = () => {
    agent.options.secureContext = createSecureContext(tls.current());
  };
  renew();
  const unsubscribe = tls.onChange(renew);
  return {
    agent,
    close() {
      unsubscribe();
      agent.destroy();
    },
  };
}
