import http from 'node:http';
import https from 'node:https';
import { createSecureContext } from 'node:tls';
import type { PeerTls } from '@survey/runtime/rpc/peer-tls';

/** Requests to one service at the same time. There is a connection for each: in the agent's queue no time limit holds. */
export const MAX_IN_FLIGHT = 512;

const options = {
  keepAlive: true,
  scheduling: 'lifo',
  maxSockets: MAX_IN_FLIGHT,
  // Shorter than services keep idle connections, so that none is used while it is being closed.
  timeout: 30_000,
} as const;

/** Connections to one service. */
export interface BackendAgent {
  readonly agent: http.Agent;
  /** Closes those that are kept. */
  close(): void;
}

/** New connections to an https address show the certificate, and trust the CA, that are the latest. */
export function createBackendAgent(url: string, tls: PeerTls | undefined): BackendAgent {
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
