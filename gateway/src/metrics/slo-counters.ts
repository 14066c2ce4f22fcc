import { startAtZero } from '@survey/runtime/telemetry/start-at-zero';
import { Counter, type Registry } from 'prom-client';

/** The data of a request and its reply that the SLOs use. */
interface Reply {
  readonly method: string;
  /** Template of the route. */
  readonly endpoint: string;
  readonly statusCode: string;
  readonly seconds: number;
}

interface Objective {
  /** Value of the label `slo`. */
  readonly name: string;
  readonly covers: (reply: Reply) => boolean;
  readonly isViolatedBy: (reply: Reply) => boolean;
}

/** Pages for probes and operators. */
const PAGES: ReadonlySet<string> = new Set(['/health', '/metrics']);
const SUBMIT = /^\/v1\/public\/.+\/responses$/;

const OBJECTIVES: readonly Objective[] = [
  {
    name: 'api-answers',
    covers: ({ endpoint }) => !PAGES.has(endpoint),
    isViolatedBy: ({ statusCode }) => statusCode.startsWith('5'),
  },
  {
    name: 'submits-within-500-ms',
    covers: ({ method, endpoint }) => method === 'POST' && SUBMIT.test(endpoint),
    isViolatedBy: ({ seconds }) => seconds > 0.5,
  },
];

/**
 * Registers the counters of the SLOs, and returns a function that counts a request. The counters have no label for
 * tenants and start at 0. Prometheus misses the first increase of a new series: with a series for each tenant, it would
 * miss the first error of each.
 */
export function createSloCounters(registry: Registry): (reply: Reply) => void {
  const counter = (name: string, help: string) =>
    new Counter({ name, help, labelNames: ['slo'], aggregator: 'sum', registers: [registry] });
  const requests = counter('slo_requests_total', 'Requests that a service level objective covers.');
  const errors = counter('slo_errors_total', 'Requests that violate a service level objective.');
  for (const { name } of OBJECTIVES) {
    startAtZero(requests, { slo: name });
    startAtZero(errors, { slo: name });
  }
  return (reply) => {
    for (const { name, covers, isViolatedBy } of OBJECTIVES) {
      if (!covers(reply)) continue;
      requests.inc({ slo: name });
      if (isViolatedBy(reply)) errors.inc({ slo: name });
    }
  };
}
