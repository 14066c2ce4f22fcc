import { mapBackends } from '../backends.ts';
import type { GatewayRuntime } from '../runtime.ts';
import { observeBackends } from './backend-metrics.ts';
import { createBackendProxy } from './backend-proxy.ts';
import { createReplyBuffer } from './message-forwarder.ts';

/** Forwards requests to services. */
export function createForwardingModule(
  { tls, registry }: GatewayRuntime,
  urls: ReturnType<typeof mapBackends<string>>,
) {
  const replyBuffer = createReplyBuffer();
  const proxies = mapBackends((name) => createBackendProxy({ url: urls[name], tls, replyBuffer }));
  observeBackends(proxies, registry);
  return {
    proxies,
    /** Ends the long polls of the change feed, and the tests of webhooks. */
    endWaits() {
      for (const proxy of Object.values(proxies)) proxy.endWaits();
    },
    /** Closes all connections. */
    close() {
      for (const proxy of Object.values(proxies)) proxy.close();
    },
  };
}
