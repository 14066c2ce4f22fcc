import { Gauge, type Registry } from 'prom-client';
import type { BackendProxy } from './backend-proxy.ts';

/** Tells how many requests to each service are under way, and how many may be. */
export function observeBackends(
  proxies: Readonly<Record<string, Pick<BackendProxy, 'inFlight'>>>,
  registry: Registry,
): void {
  function tell(name: string, help: string, member: 'count' | 'limit'): void {
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

  tell(
    'gateway_requests_in_flight',
    'Requests to a service that are under way: any, and the streams among them.',
    'count',
  );
  tell(
    'gateway_requests_in_flight_limit',
    'How many requests to a service may be under way now; fewer of any kind while its answers are slow.',
    'limit',
  );
}
