import { type Dashboard, graph, stat } from './panels.ts';
import { INSTALLATION, PROCESSES, quantile, quantiles, RATE, TENANTS } from './queries.ts';

/** SLOs, requests, the edge, calls, processes and the database of all processes. */
export const platform: Dashboard = {
  name: 'platform',
  title: 'Survey platform',
  rows: [
    {
      title: 'Service level objectives',
      panels: [
        stat(
          {
            title: 'Burn rate of the last hour',
            description: 'At 1, the error budget lasts 30 days. Above 14.4, BudgetBurnsFast fires.',
            unit: 'short',
          },
          [`slo:errors:ratio_rate1h{${INSTALLATION}} / on (slo) slo:budget:ratio{${INSTALLATION}}`, '{{slo}}'],
        ),
        graph({ title: 'Requests that violate an SLO', description: 'Share of all requests.', unit: 'percentunit' }, [
          `slo:errors:ratio_rate5m{${INSTALLATION}}`,
          '{{slo}}',
        ]),
        stat({ title: 'Reachable processes', description: 'Processes that Prometheus can scrape.', unit: 'short' }, [
          `sum by (job) (up{${PROCESSES}})`,
          '{{job}}',
        ]),
      ],
    },
    {
      title: 'Requests',
      panels: [
        graph({ title: 'Requests by status', description: 'Replies of the gateway.', unit: 'reqps' }, [
          `sum by (status_code) (rate(http_requests_total{${TENANTS}}${RATE}))`,
          '{{status_code}}',
        ]),
        graph({ title: 'Busiest routes', description: 'The ten with the most requests.', unit: 'reqps' }, [
          `topk(10, sum by (method, endpoint) (rate(http_requests_total{${TENANTS}}${RATE})))`,
          '{{method}} {{endpoint}}',
        ]),
        graph({ title: 'Busiest tenants', description: 'The ten with the most requests.', unit: 'reqps' }, [
          `topk(10, sum by (tenant_id) (rate(http_requests_total{${TENANTS}}${RATE})))`,
          '{{tenant_id}}',
        ]),
        graph(
          {
            title: 'Duration of requests',
            description: 'Estimated from buckets of 100, 500 and 2,500 ms.',
            unit: 's',
          },
          ...quantiles(`http_request_duration_seconds_bucket{${TENANTS}}`, 0.5, 0.99),
        ),
        graph({ title: 'Slowest routes', description: 'The ten with the longest average duration.', unit: 's' }, [
          `topk(10, sum by (method, endpoint) (rate(http_request_duration_seconds_sum{${TENANTS}}${RATE})) / sum by (method, endpoint) (rate(http_request_duration_seconds_count{${TENANTS}}${RATE})))`,
          '{{method}} {{endpoint}}',
        ]),
        graph(
          {
            title: 'Active surveys',
            description: 'Surveys of the selected tenants that accept responses now.',
            unit: 'short',
          },
          [`max(sum by (instance) (active_surveys_count{${TENANTS}}))`, 'active'],
        ),
      ],
    },
    {
      title: 'Edge',
      panels: [
        graph({ title: 'Rejected tokens', description: 'By reason.', unit: 'cps' }, [
          `sum by (reason) (rate(gateway_rejected_tokens_total{${PROCESSES}}${RATE}))`,
          '{{reason}}',
        ]),
        graph(
          { title: 'Requests over a limit', description: 'By limit and class of the route.', unit: 'reqps' },
          [
            `sum by (limit, route_class) (rate(gateway_limit_refusals_total{${PROCESSES}}${RATE}))`,
            '{{limit}} {{route_class}}',
          ],
          [`sum(rate(gateway_limit_lease_failures_total{${PROCESSES}}${RATE}))`, 'failed leases from identity'],
        ),
        graph({ title: 'Keys of issuers', description: 'Loads by outcome.', unit: 'cps' }, [
          `sum by (issuer, outcome) (rate(gateway_jwks_loads_total{${PROCESSES}}${RATE}))`,
          '{{issuer}} {{outcome}}',
        ]),
        graph(
          {
            title: 'Concurrent requests',
            description:
              'Requests in flight to each service, and streams, with their limits. A limit drops while the service is slow.',
            unit: 'short',
          },
          [`sum by (backend, kind) (gateway_requests_in_flight{${PROCESSES}})`, '{{backend}}, {{kind}}'],
          [`sum by (backend, kind) (gateway_requests_in_flight_limit{${PROCESSES}})`, '{{backend}}, {{kind}}, limit'],
        ),
        graph(
          {
            title: 'Missing sources of /metrics',
            description: 'Processes that did not reply to the gateway.',
            unit: 'cps',
          },
          [`sum by (part) (rate(gateway_metrics_source_failures_total{${PROCESSES}}${RATE}))`, '{{part}}'],
        ),
      ],
    },
    {
      title: 'Calls of services',
      panels: [
        graph({ title: 'Calls', description: 'Over REST and gRPC.', unit: 'reqps' }, [
          `sum by (job, binding) (rate(rpc_server_duration_seconds_count{${PROCESSES}}${RATE}))`,
          '{{job}} {{binding}}',
        ]),
        graph({ title: 'Failed calls', description: 'By gRPC status, without OK.', unit: 'reqps' }, [
          `sum by (job, code) (rate(rpc_server_duration_seconds_count{${PROCESSES}, code!="OK"}${RATE}))`,
          '{{job}} {{code}}',
        ]),
        graph({ title: 'Duration of calls, p99', description: 'Of all methods of a service.', unit: 's' }, [
          quantile(0.99, `rpc_server_duration_seconds_bucket{${PROCESSES}}`, 'job'),
          '{{job}}',
        ]),
      ],
    },
    {
      title: 'Processes',
      panels: [
        graph({ title: 'CPU', description: 'Cores that a process uses.', unit: 'short' }, [
          `rate(process_cpu_seconds_total{${PROCESSES}}${RATE})`,
          '{{job}} {{instance}}',
        ]),
        graph({ title: 'Memory', description: 'Resident set of a process.', unit: 'bytes' }, [
          `process_resident_memory_bytes{${PROCESSES}}`,
          '{{job}} {{instance}}',
        ]),
        graph({ title: 'Event loop lag, p99', description: 'How long the event loop was blocked.', unit: 's' }, [
          `nodejs_eventloop_lag_p99_seconds{${PROCESSES}}`,
          '{{job}} {{instance}}',
        ]),
        graph({ title: 'File descriptors', description: 'Share of the limit that is open.', unit: 'percentunit' }, [
          `process_open_fds{${PROCESSES}} / process_max_fds{${PROCESSES}}`,
          '{{job}} {{instance}}',
        ]),
        graph({ title: 'Uptime', description: 'Drops to 0 at each start.', unit: 's' }, [
          `time() - process_start_time_seconds{${PROCESSES}}`,
          '{{job}} {{instance}}',
        ]),
        graph({ title: 'Ready processes', description: 'Processes that accept work.', unit: 'short' }, [
          `sum by (job) (process_ready{${PROCESSES}})`,
          '{{job}}',
        ]),
        graph(
          {
            title: 'Unreachable dependencies',
            description: 'Number of processes that cannot reach them.',
            unit: 'short',
          },
          [`sum by (job, dependency) (1 - dependency_up{${PROCESSES}})`, '{{job}} {{dependency}}'],
        ),
        stat({ title: 'Versions', description: 'Number of processes by version.', unit: 'short' }, [
          `sum by (job, version, node) (build_info{${PROCESSES}})`,
          '{{job}} {{version}} on Node {{node}}',
        ]),
      ],
    },
    {
      title: 'Keys and certificates',
      panels: [
        graph({ title: 'Time to expiry', description: 'Of certificates and keys that have an end.', unit: 's' }, [
          `min by (job, secret, key) (secret_expiry_timestamp_seconds{${PROCESSES}}) - time()`,
          '{{job}} {{secret}} {{key}}',
        ]),
        graph(
          {
            title: 'Unusable files',
            description: 'Secrets whose new files cannot be used. The last good contents stay in use.',
            unit: 'short',
          },
          [`max by (job, secret) (secret_reload_failing{${PROCESSES}})`, '{{job}} {{secret}}'],
        ),
      ],
    },
    {
      title: 'MongoDB',
      panels: [
        graph({ title: 'Commands', description: 'By the process that sends them.', unit: 'cps' }, [
          `sum by (job, command) (rate(database_command_duration_seconds_count{${PROCESSES}}${RATE}))`,
          '{{job}} {{command}}',
        ]),
        graph({ title: 'Duration of commands, p99', description: 'From the command to its reply.', unit: 's' }, [
          quantile(0.99, `database_command_duration_seconds_bucket{${PROCESSES}}`, 'job'),
          '{{job}}',
        ]),
        graph({ title: 'Failed commands', description: 'Errors and missing replies.', unit: 'cps' }, [
          `sum by (job, command) (rate(database_command_duration_seconds_count{${PROCESSES}, outcome="failed"}${RATE}))`,
          '{{job}} {{command}}',
        ]),
        graph({ title: 'Connections', description: 'All, in use, and operations that wait for one.', unit: 'short' }, [
          `sum by (job, pool_type) (database_connection_pool_size{${PROCESSES}})`,
          '{{job}} {{pool_type}}',
        ]),
      ],
    },
    {
      title: 'Tenants and labels',
      panels: [
        graph({ title: 'Tenants to erase', description: 'By the process that has their data.', unit: 'short' }, [
          `max by (job) (tenant_erasures_due{${PROCESSES}})`,
          '{{job}}',
        ]),
        graph({ title: 'Longest overdue erasure', description: 'Time since it was due.', unit: 's' }, [
          `max by (job) (tenant_oldest_erasure_due_seconds{${PROCESSES}})`,
          '{{job}}',
        ]),
        graph(
          { title: 'Label values above the limit of series', description: 'They are counted as `other`.', unit: 'cps' },
          [`sum by (job, label) (rate(metrics_label_overflow_total{${PROCESSES}}${RATE}))`, '{{job}} {{label}}'],
        ),
      ],
    },
  ],
};
