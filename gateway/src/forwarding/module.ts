import { Gauge, type Registry } from 'prom-client';
import { mapBackends } from '../backends.ts';
import type { GatewayRuntime } from '../runtime.ts';
import { type BackendProxy, createBackendProxy } from './backend-proxy.ts';
import { createReplyMemory } from './message-forwarder.ts';

export function createForwardingModule(
  { tls, registry }: GatewayRuntime,
  urls: ReturnType<typeof mapBackends<string>>,
) {
  const replyMemory = createReplyMemory();
  const proxies = mapBackends((name) => createBackendProxy({ url: urls[name], tls, replyMemory }));
  observeBackends(proxies, registry);
  return {
    proxies,
    /** Ends the long polls of the change feed, and the tests of webhooks. */
    endWaits() {
      for (const proxy of Object.values(proxies)) proxy.endWaits();
    },
    close() {
      for (const proxy of Object.values(proxies)) proxy.close();
    },
  };
}

/** Reports the requests in flight to each service, and their limit. */
export function observeBackends(
  proxies: Readonly<Record<string, Pick<BackendProxy, 'inFlight'>>>,
  registry: Registry,
): void {
  function addGauge(name: string, help: string, member: 'count' | 'limit'): void {
    new Gauge({
      name,
      help,
      labelNames: ['backend', 'kind'],
      aggregator: 'sum',
      registers: [registry],
      collect() {
        for (const [backend, proxy] of Object.entries(proxies))
          for (const [kind, inFlight] of Object.entries(proxy.inFlight()))
            this.set({ backend, kind }, inFlight[member]);
      },
    });
  }

  addGauge(
    'gateway_requests_in_flight',
    'Requests in flight to a service, by kind. message: those whose reply has not begun. stream: uploads, downloads and long bodies. wait: requests that wait for a change.',
    'count',
  );
  addGauge(
    'gateway_requests_in_flight_limit',
    'Current limit of requests in flight to a service, by kind. The limit of messages drops while replies are slow.',
    'limit',
  );
}
