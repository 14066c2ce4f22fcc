import { Gauge, type Registry } from 'prom-client';
import type { BackendProxy } from '../forwarding/backend-proxy.ts';

/** Tells how many requests to each service are under way, and how many may be. */
export function observeBackends(
  proxies: Readonly<Record<string, Pick<BackendProxy, 'inFlight'>>>,
  registry: Registry,
): void {
  function tell(name: string, help: string, pick: (inFlight: ReturnType<BackendProxy['inFlight']>) => number): void {
    new Gauge({
      name,
      help,
      labelNames: ['backend'],
      aggregator: 'sum',
      registers: [registry],
      collect() {
        for (const [backend, proxy] of Object.entries(proxies)) this.set({ backend }, pick(proxy.inFlight()));
      },
    });
  }

  tell('gateway_requests_in_flight', 'Requests to a service that are under way.', ({ count }) => count);
  tell(
    'gateway_requests_in_flight_limit',
    'How many requests to a service may be under way now; fewer while its answers are slow.',
    ({ limit }) => limit,
  );
}
