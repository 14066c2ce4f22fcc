import { type Dashboard, figure, graph } from './panels.ts';
import { quantile, quantiles, RATE } from './queries.ts';

/** What is true of all parts: promises to callers, the edge, calls, processes, the database. */
export const platform: Dashboard = {
  name: 'platform',
  title: 'Survey platform',
  rows: [
    {
      title: 'Promises',
      panels: [
        figure(
          {
            title: 'Budget that the last hour has used, as a pace',
            description: 'At 1 the budget of 30 days lasts 30 days; at 14.4 somebody is woken.',
            unit: 'short',
          },
          ['slo:errors:ratio_rate1h / on (slo) slo:budget:ratio', '{{slo}}'],
        ),
        graph({ title: 'Requests that break a promise', description: 'Share of all requests.', unit: 'percentunit' }, [
          'slo:errors:ratio_rate5m',
          '{{slo}}',
        ]),
        figure({ title: 'Processes that answer', description: 'Those that Prometheus can scrape.', unit: 'short' }, [
          'sum by (job) (up{job=~"gateway|identity|survey|response|webhook|import"})',
          '{{job}}',
        ]),
      ],
    },
    {
      title: 'Requests',
      panels: [
        graph({ title: 'Requests by status', description: 'Answers of the gateway.', unit: 'reqps' }, [
          `sum by (status_code) (rate(http_requests_total${RATE}))`,
          '{{status_code}}',
        ]),
        graph({ title: 'Busiest routes', description: 'The ten with most requests.', unit: 'reqps' }, [
          `topk(10, sum by (method, endpoint) (rate(http_requests_total${RATE})))`,
          '{{method}} {{endpoint}}',
        ]),
        graph({ title: 'Busiest tenants', description: 'The ten with most requests.', unit: 'reqps' }, [
          `topk(10, sum by (tenant_id) (rate(http_requests_total${RATE})))`,
          '{{tenant_id}}',
        ]),
        graph(
          {
            title: 'Time to the end of an answer',
            description: 'Its buckets are few, 25, 100, 500 and 2,500 ms: between them this is an estimate.',
            unit: 's',
          },
          ...quantiles('http_request_duration_seconds_bucket', 0.5, 0.99),
        ),
        graph({ title: 'Slowest routes', description: 'The ten that take longest on average.', unit: 's' }, [
          `topk(10, sum by (method, endpoint) (rate(http_request_duration_seconds_sum${RATE})) / sum by (method, endpoint) (rate(http_request_duration_seconds_count${RATE})))`,
          '{{method}} {{endpoint}}',
        ]),
        graph(
          { title: 'Active surveys', description: 'Surveys that take answers now, of all tenants.', unit: 'short' },
          ['max(sum by (instance) (active_surveys_count))', 'active'],
        ),
      ],
    },
    {
      title: 'Edge',
      panels: [
        graph({ title: 'Refused tokens', description: 'By what was wrong with them.', unit: 'cps' }, [
          `sum by (reason) (rate(gateway_rejected_tokens_total${RATE}))`,
          '{{reason}}',
        ]),
        graph(
          { title: 'Requests over a limit', description: 'By the limit, and the class of the route.', unit: 'reqps' },
          [`sum by (limit, route_class) (rate(gateway_limit_refusals_total${RATE}))`, '{{limit}} {{route_class}}'],
          [`sum(rate(gateway_limit_lease_failures_total${RATE}))`, 'shares that identity did not give'],
        ),
        graph({ title: 'Keys of issuers', description: 'How often they were loaded.', unit: 'cps' }, [
          `sum by (issuer, outcome) (rate(gateway_jwks_loads_total${RATE}))`,
          '{{issuer}} {{outcome}}',
        ]),
        graph(
          {
            title: 'Requests under way',
            description:
              'To each service, any and the streams among them, and how many are let through; that sinks while answers are slow.',
            unit: 'short',
          },
          ['sum by (backend, kind) (gateway_requests_in_flight)', '{{backend}}, {{kind}}'],
          ['sum by (backend, kind) (gateway_requests_in_flight_limit)', '{{backend}}, {{kind}}, at the most'],
        ),
        graph(
          { title: 'Views over the platform that lack a part', description: '/metrics of the gateway.', unit: 'cps' },
          [`sum by (part) (rate(gateway_metrics_source_failures_total${RATE}))`, '{{part}}'],
        ),
      ],
    },
    {
      title: 'Calls of services',
      panels: [
        graph({ title: 'Calls', description: 'Over REST and gRPC.', unit: 'reqps' }, [
          `sum by (job, binding) (rate(rpc_server_duration_seconds_count${RATE}))`,
          '{{job}} {{binding}}',
        ]),
        graph({ title: 'Calls that fail', description: 'Everything but OK, by gRPC status.', unit: 'reqps' }, [
          `sum by (job, code) (rate(rpc_server_duration_seconds_count{code!="OK"}${RATE}))`,
          '{{job}} {{code}}',
        ]),
        graph({ title: 'Time of a call, p99', description: 'Of all methods of a service.', unit: 's' }, [
          quantile(0.99, 'rpc_server_duration_seconds_bucket', 'job'),
          '{{job}}',
        ]),
      ],
    },
    {
      title: 'Processes',
      panels: [
        graph({ title: 'CPU', description: 'Cores that a process uses.', unit: 'short' }, [
          `rate(process_cpu_seconds_total${RATE})`,
          '{{job}} {{instance}}',
        ]),
        graph({ title: 'Memory', description: 'Resident set of a process.', unit: 'bytes' }, [
          'process_resident_memory_bytes',
          '{{job}} {{instance}}',
        ]),
        graph({ title: 'Event loop lag, p99', description: 'How long a process was kept from its turns.', unit: 's' }, [
          'nodejs_eventloop_lag_p99_seconds',
          '{{job}} {{instance}}',
        ]),
        graph({ title: 'File descriptors', description: 'Share of those allowed that is open.', unit: 'percentunit' }, [
          'process_open_fds / process_max_fds',
          '{{job}} {{instance}}',
        ]),
        graph(
          { title: 'Time since the start', description: 'It falls to nothing when a process starts anew.', unit: 's' },
          ['time() - process_start_time_seconds', '{{job}} {{instance}}'],
        ),
        graph({ title: 'Processes that are ready', description: 'Those that may be sent work.', unit: 'short' }, [
          'sum by (job) (process_ready)',
          '{{job}}',
        ]),
        graph(
          {
            title: 'Dependencies that do not answer',
            description: 'How many processes get no answer of them.',
            unit: 'short',
          },
          ['sum by (job, dependency) (1 - dependency_up)', '{{job}} {{dependency}}'],
        ),
        figure({ title: 'Versions', description: 'What is running, and how many processes of it.', unit: 'short' }, [
          'sum by (job, version, node) (build_info)',
          '{{job}} {{version}} on Node {{node}}',
        ]),
      ],
    },
    {
      title: 'MongoDB',
      panels: [
        graph({ title: 'Commands', description: 'By the part that sends them.', unit: 'cps' }, [
          `sum by (job, command) (rate(database_command_duration_seconds_count${RATE}))`,
          '{{job}} {{command}}',
        ]),
        graph({ title: 'Time of a command, p99', description: 'From sending it to its reply.', unit: 's' }, [
          quantile(0.99, 'database_command_duration_seconds_bucket', 'job'),
          '{{job}}',
        ]),
        graph({ title: 'Commands that fail', description: 'Replies that are errors, and none at all.', unit: 'cps' }, [
          `sum by (job, command) (rate(database_command_duration_seconds_count{outcome="failed"}${RATE}))`,
          '{{job}} {{command}}',
        ]),
        graph(
          { title: 'Connections', description: 'All, those in use, and operations that wait for one.', unit: 'short' },
          ['sum by (job, pool_type) (database_connection_pool_size)', '{{job}} {{pool_type}}'],
        ),
      ],
    },
    {
      title: 'Tenants and labels',
      panels: [
        graph(
          { title: 'Deleted tenants to destroy the data of', description: 'By the part that has them.', unit: 'short' },
          ['max by (job) (tenant_erasures_due)', '{{job}}'],
        ),
        graph(
          { title: 'The longest wait among them', description: 'Since their data were to be destroyed.', unit: 's' },
          ['max by (job) (tenant_oldest_erasure_due_seconds)', '{{job}}'],
        ),
        graph({ title: 'Label values without a series', description: 'What was counted under `other`.', unit: 'cps' }, [
          `sum by (job, label) (rate(metrics_label_overflow_total${RATE}))`,
          '{{job}} {{label}}',
        ]),
      ],
    },
  ],
};
