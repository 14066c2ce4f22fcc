import { sharedCounter, startAtZero } from '@survey/runtime/telemetry/metrics';
import { PART_SIZE, registerChunked, type Sample } from '@survey/runtime/telemetry/metrics-text';
import { Counter, type Registry } from 'prom-client';

/** A request with its reply. */
interface Observation {
  readonly method: string;
  /** Template of the route. */
  readonly endpoint: string;
  readonly statusCode: string;
  readonly tenantId: string;
  readonly seconds: number;
  /** Id of the trace, if the trace is recorded. */
  readonly traceId: string | undefined;
}

type Measured = Omit<Observation, 'tenantId' | 'traceId'>;

interface Objective {
  /** Value of the label `slo`. */
  readonly name: string;
  readonly covers: (measured: Measured) => boolean;
  readonly isViolatedBy: (measured: Measured) => boolean;
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
 * Registers the counters of the service level objectives (SLOs), and returns a function that counts a request.
 * Prometheus misses the first increase of a new series. So the counters start at 0, and have no label for tenants.
 */
export function createSloCounters(registry: Registry): (measured: Measured) => void {
  const counter = (name: string, help: string) =>
    new Counter({ name, help, labelNames: ['slo'], aggregator: 'sum', registers: [registry] });
  const requests = counter('slo_requests_total', 'Requests that a service level objective covers.');
  const errors = counter('slo_errors_total', 'Requests that violate a service level objective.');
  for (const { name } of OBJECTIVES) {
    startAtZero(requests, { slo: name });
    startAtZero(errors, { slo: name });
  }
  return (measured) => {
    for (const { name, covers, isViolatedBy } of OBJECTIVES) {
      if (!covers(measured)) continue;
      requests.inc({ slo: name });
      if (isViolatedBy(measured)) errors.inc({ slo: name });
    }
  };
}

export type RequestSeries = ReturnType<typeof createRequestSeries>;

interface Options {
  readonly registry: Registry;
  /** Maximum number of time series with a `tenant_id`, in both metrics together. */
  readonly maxSeries: number;
  /** Milliseconds that never decrease. */
  readonly now?: () => number;
}

/** Label of requests whose tenant has no series. */
const OTHER = 'other';
/** Label of the sums over removed series. */
const REMOVED = 'removed';
/**
 * Replaces `http_` in the names of the metrics that sum up removed series. In the original metrics, Prometheus would
 * take these sums for new requests. The totals of all tenants include the sums, so that totals never fall.
 */
export const REMOVED_PREFIX = 'http_removed_';
/** Label of requests without a tenant. */
export const UNKNOWN = 'unknown';

/** Upper bounds in seconds. There are few, because each costs a series for every tenant and route. */
const BUCKETS = [0.1, 0.5, 2.5];
/** Number of buckets for fast requests. Slower requests are recorded with the id of their trace. */
const FAST_BUCKETS = 2;
/** Histogram series of one tenant and route: the buckets, `+Inf`, sum and count. */
const SERIES_OF_ROUTE = BUCKETS.length + 3;
/** Estimated series of a tenant that has none yet: five routes, each with one status. */
const USUAL_SERIES = 5 * (SERIES_OF_ROUTE + 1);
/** At least this many tenants are ranked, even if fewer can have series. */
const MIN_RANKED = 1_000;
/** Share of `maxSeries` for the series of selected tenants. The rest is for their further routes and for `other`. */
const SELECTED_SHARE = 0.8;
/** To replace a tenant that has series, another one must be this many times as busy. Prevents constant replacement. */
const HOLDER_WEIGHT = 2;
/** The series of a tenant that is no longer selected stay for this time, so that Prometheus reads their last values. */
const RETIREMENT_MS = 3 * 60_000;

interface Exemplar {
  readonly traceId: string;
  readonly value: number;
  readonly timestampSeconds: number;
}

interface RouteSeries {
  readonly method: string;
  readonly endpoint: string;
  /** Observations of each bucket, not cumulative. The last bucket is `+Inf`. */
  readonly buckets: number[];
  sum: number;
  readonly statuses: Map<string, number>;
  readonly exemplars: (Exemplar | undefined)[];
}

/** Series with the same `tenant_id`, by method and route. */
type SeriesByRoute = Map<string, RouteSeries>;

interface Tenant {
  readonly routes: SeriesByRoute;
  seriesCount: number;
  /** Time at which a selection dropped the tenant. */
  retiredAt: number | undefined;
}

type TenantSeries = readonly [tenantId: string, { readonly routes: SeriesByRoute }];

/**
 * Registers `http_requests_total`, `http_request_duration_seconds` and the metrics of the SLOs. If the series of all
 * tenants exceed the limit, only selected tenants keep series of their own. Requests of all other tenants count as
 * `other`. The limit does not apply to `other` and `unknown`, which have few series.
 */
export function createRequestSeries({ registry, maxSeries, now = () => performance.now() }: Options) {
  const tenants = new Map<string, Tenant>();
  /** Sums over the removed series: see `REMOVED_PREFIX`. */
  const removed: SeriesByRoute = new Map();
  const observeObjectives = createSloCounters(registry);
  const activity = createActivity(Math.max(MIN_RANKED, Math.ceil(maxSeries / SERIES_OF_ROUTE)));
  const overflow = sharedCounter(registry, {
    name: 'metrics_label_overflow_total',
    help: 'Observations whose label value was replaced by `other`.',
    labelNames: ['label'],
    aggregator: 'sum',
  });
  const overflowLabels = { label: 'http_requests_total.tenant_id' };
  startAtZero(overflow, overflowLabels);
  let seriesCount = 0;
  /** Selected tenants; undefined while the series of all tenants fit. */
  let selected: ReadonlySet<string> | undefined;

  const isPseudoTenant = (tenantId: string) => tenantId === OTHER || tenantId === UNKNOWN;

  /** Returns the tenant. Undefined if its requests must count as `other`. */
  function admit(tenantId: string): Tenant | undefined {
    const known = tenants.get(tenantId);
    if (known !== undefined) return known.retiredAt === undefined ? known : undefined;
    if (!isPseudoTenant(tenantId) && selected?.has(tenantId) === false) return undefined;
    const tenant = { routes: new Map(), seriesCount: 0, retiredAt: undefined };
    tenants.set(tenantId, tenant);
    return tenant;
  }

  function reserve(tenantId: string, tenant: Tenant, series: number): boolean {
    if (!isPseudoTenant(tenantId) && seriesCount + series > maxSeries) return false;
    seriesCount += series;
    tenant.seriesCount += series;
    return true;
  }

  function findOrAddRoute(tenantId: string, { method, endpoint, statusCode }: Observation): RouteSeries | undefined {
    const tenant = admit(tenantId);
    if (tenant === undefined) return undefined;
    const key = `${method} ${endpoint}`;
    const known = tenant.routes.get(key);
    if (known?.statuses.has(statusCode)) return known;
    if (known !== undefined) return reserve(tenantId, tenant, 1) ? known : undefined;
    if (!reserve(tenantId, tenant, SERIES_OF_ROUTE + 1)) {
      if (tenant.seriesCount === 0) tenants.delete(tenantId);
      return undefined;
    }
    return addRoute(tenant.routes, { method, endpoint });
  }

  function remove(tenantId: string, tenant: Tenant): void {
    tenants.delete(tenantId);
    seriesCount -= tenant.seriesCount;
    for (const [key, route] of tenant.routes) addUp(removed.get(key) ?? addRoute(removed, route), route);
  }

  type ToSamples = (tenantId: string, route: RouteSeries) => readonly Sample[];
  /** Reads in parts, because the samples of all tenants at once would block requests. */
  function* readParts(toSamples: ToSamples, series: Iterable<TenantSeries> = tenants): Iterable<readonly Sample[]> {
    let part: Sample[] = [];
    for (const [tenantId, { routes }] of series) {
      for (const route of routes.values()) {
        part.push(...toSamples(tenantId, route));
        if (part.length < PART_SIZE) continue;
        yield part;
        part = [];
      }
    }
    yield part;
  }

  registerChunked(registry, {
    name: 'http_requests_total',
    help: 'Requests to the API by route template, status and tenant.',
    type: 'counter',
    aggregator: 'sum',
    readParts: () => readParts(toRequests),
  });
  registerChunked(registry, {
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its reply.',
    type: 'histogram',
    aggregator: 'sum',
    readParts: () => readParts(toDurations),
  });
  registerChunked(registry, {
    name: `${REMOVED_PREFIX}requests_total`,
    help: 'Requests that were counted in removed series of http_requests_total. The totals over all tenants include them.',
    type: 'counter',
    aggregator: 'sum',
    readParts: () => readParts(toRequests, [[REMOVED, { routes: removed }]]),
  });
  registerChunked(registry, {
    name: `${REMOVED_PREFIX}request_duration_seconds`,
    help: 'Durations in removed series of http_request_duration_seconds. The totals over all tenants include them.',
    type: 'histogram',
    aggregator: 'sum',
    readParts: () =>
      readParts((label, route) => toDurations(label, route).map(renamed), [[REMOVED, { routes: removed }]]),
  });

  return {
    observe(observation: Observation): void {
      observeObjectives(observation);
      const { tenantId, statusCode, seconds, traceId } = observation;
      if (!isPseudoTenant(tenantId)) activity.add(tenantId);
      const tenantRoute = findOrAddRoute(tenantId, observation);
      if (tenantRoute === undefined) overflow.inc(overflowLabels);
      const route = tenantRoute ?? findOrAddRoute(OTHER, observation);
      if (route === undefined) return;
      route.statuses.set(statusCode, (route.statuses.get(statusCode) ?? 0) + 1);
      const found = BUCKETS.findIndex((bound) => seconds <= bound);
      const bucket = found === -1 ? BUCKETS.length : found;
      route.buckets[bucket] = (route.buckets[bucket] ?? 0) + 1;
      route.sum += seconds;
      if (traceId !== undefined && bucket >= FAST_BUCKETS)
        route.exemplars[bucket] = { traceId, value: seconds, timestampSeconds: Date.now() / 1_000 };
    },

    /**
     * Selects the tenants that may have series of their own: all tenants if their series fit, else the busiest. The
     * other tenants lose their series after some minutes. Call this once a minute.
     */
    select(): void {
      const ranked = activity.readAndDecay().map(({ tenantId, requests }) => {
        const tenant = tenants.get(tenantId);
        const isHolder = tenant !== undefined && tenant.retiredAt === undefined;
        return {
          tenantId,
          series: tenant?.seriesCount || USUAL_SERIES,
          rank: isHolder ? requests * HOLDER_WEIGHT : requests,
        };
      });
      ranked.sort((one, other) => other.rank - one.rank);
      let series = 0;
      const end = ranked.findIndex((tenant) => {
        series += tenant.series;
        return series > maxSeries * SELECTED_SHARE;
      });
      selected = end === -1 ? undefined : new Set(ranked.slice(0, end).map(({ tenantId }) => tenantId));
      const time = now();
      for (const [tenantId, tenant] of tenants) {
        if (isPseudoTenant(tenantId)) continue;
        if (selected === undefined || selected.has(tenantId)) tenant.retiredAt = undefined;
        else if (tenant.retiredAt === undefined) tenant.retiredAt = time;
        else if (time - tenant.retiredAt >= RETIREMENT_MS) remove(tenantId, tenant);
      }
    },
  };
}

function addRoute(routes: SeriesByRoute, { method, endpoint }: Pick<RouteSeries, 'method' | 'endpoint'>): RouteSeries {
  const buckets = [...BUCKETS, Infinity].map(() => 0);
  const route = { method, endpoint, buckets, sum: 0, statuses: new Map(), exemplars: [] };
  routes.set(`${method} ${endpoint}`, route);
  return route;
}

function addUp(route: RouteSeries, other: RouteSeries): void {
  for (const [index, count] of other.buckets.entries()) route.buckets[index] = (route.buckets[index] ?? 0) + count;
  for (const [status, count] of other.statuses) route.statuses.set(status, (route.statuses.get(status) ?? 0) + count);
  route.sum += other.sum;
}

function renamed({ metricName, ...sample }: Sample): Sample {
  return { ...sample, ...(metricName && { metricName: metricName.replace('http_', REMOVED_PREFIX) }) };
}

function toRequests(tenant_id: string, { method, endpoint, statuses }: RouteSeries): readonly Sample[] {
  return [...statuses].map(([status_code, value]) => ({ labels: { method, endpoint, status_code, tenant_id }, value }));
}

function toDurations(tenant_id: string, { method, endpoint, buckets, sum, exemplars }: RouteSeries): readonly Sample[] {
  const labels = { method, endpoint, tenant_id };
  let count = 0;
  const lines: Sample[] = buckets.map((observations, index) => {
    count += observations;
    const exemplar = exemplars[index];
    return {
      metricName: 'http_request_duration_seconds_bucket',
      labels: { le: String(BUCKETS[index] ?? '+Inf'), ...labels },
      value: count,
      ...(exemplar === undefined ? {} : { exemplar }),
    };
  });
  return [
    ...lines,
    { metricName: 'http_request_duration_seconds_sum', labels, value: sum },
    { metricName: 'http_request_duration_seconds_count', labels, value: count },
  ];
}

/** Each selection multiplies the counted requests by this factor. After ten selections, they count half. */
const DECAY = 0.93;

/** Counts recent requests of at most `capacity` tenants. */
function createActivity(capacity: number) {
  let counts = new Map<string, number>();
  return {
    add(tenantId: string): void {
      const count = counts.get(tenantId);
      if (count !== undefined || counts.size < capacity) counts.set(tenantId, (count ?? 0) + 1);
    },
    /** Returns the requests of each tenant. Then reduces them by `DECAY`. */
    readAndDecay(): readonly { readonly tenantId: string; readonly requests: number }[] {
      const read = [...counts].map(([tenantId, requests]) => ({ tenantId, requests }));
      // Keep only the busier half of a full list, so that other tenants can enter it.
      const kept =
        read.length < capacity
          ? read
          : read.toSorted((one, other) => other.requests - one.requests).slice(0, capacity / 2);
      counts = new Map(kept.map(({ tenantId, requests }) => [tenantId, requests * DECAY]));
      return read;
    },
  };
}
