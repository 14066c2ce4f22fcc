import { type Dashboard, graph } from './panels.ts';
import { PROCESSES, quantile, quantiles, RATE, TENANTS } from './queries.ts';

const SUBMIT = 'method="POST", endpoint=~"/v1/public/.+/responses"';

/** Ingest of responses: submits, files and imports. */
export const ingest: Dashboard = {
  name: 'ingest',
  title: 'Survey platform: ingest',
  rows: [
    {
      title: 'Submits',
      panels: [
        graph({ title: 'Submits by status', description: 'Replies of the gateway to respondents.', unit: 'reqps' }, [
          `sum by (status_code) (rate(http_requests_total{${TENANTS}, ${SUBMIT}}${RATE}))`,
          '{{status_code}}',
        ]),
        graph(
          {
            title: 'Duration of submits',
            description: 'Estimated from buckets of 100, 500 and 2,500 ms.',
            unit: 's',
          },
          ...quantiles(`http_request_duration_seconds_bucket{${TENANTS}, ${SUBMIT}}`, 0.5, 0.99),
        ),
        graph({ title: 'Responses stored', description: 'By status, imported ones included.', unit: 'cps' }, [
          `sum by (status) (rate(survey_responses_total{${TENANTS}}${RATE}))`,
          '{{status}}',
        ]),
        graph(
          { title: 'Tenants with most responses', description: 'The ten with the most stored responses.', unit: 'cps' },
          [`topk(10, sum by (tenant_id) (rate(survey_responses_total{${TENANTS}}${RATE})))`, '{{tenant_id}}'],
        ),
        graph(
          { title: 'Surveys with most responses', description: 'The ten with the most stored responses.', unit: 'cps' },
          [`topk(10, sum by (survey_id) (rate(survey_responses_total{${TENANTS}}${RATE})))`, '{{survey_id}}'],
        ),
        graph({ title: 'Rate limited clients', description: 'By limit.', unit: 'reqps' }, [
          `sum by (limit) (rate(response_client_refusals_total{${PROCESSES}}${RATE}))`,
          '{{limit}}',
        ]),
      ],
    },
    {
      title: 'Group commit',
      panels: [
        graph(
          { title: 'Responses per write', description: 'Average. Grows under load.', unit: 'short' },
          [
            `sum(rate(response_commit_batch_size_sum{${PROCESSES}}${RATE})) / sum(rate(response_commit_batch_size_count{${PROCESSES}}${RATE}))`,
            'without limits',
          ],
          [
            `sum(rate(response_limited_commit_batch_size_sum{${PROCESSES}}${RATE})) / sum(rate(response_limited_commit_batch_size_count{${PROCESSES}}${RATE}))`,
            'within limits',
          ],
        ),
        graph(
          { title: 'Wait for a write, p99', description: 'From the acceptance of a response.', unit: 's' },
          [quantile(0.99, `response_commit_wait_seconds_bucket{${PROCESSES}}`), 'without limits'],
          [quantile(0.99, `response_limited_commit_wait_seconds_bucket{${PROCESSES}}`), 'within limits'],
        ),
        graph(
          {
            title: 'Queue',
            description: 'Responses that wait for a write, and responses that were rejected because of it.',
            unit: 'short',
          },
          [`sum by (instance) (response_commit_waiting{${PROCESSES}})`, '{{instance}}, without limits'],
          [`sum by (instance) (response_limited_commit_waiting{${PROCESSES}})`, '{{instance}}, within limits'],
          [
            `sum(rate(response_commit_shed_total{${PROCESSES}}${RATE})) + sum(rate(response_limited_commit_shed_total{${PROCESSES}}${RATE}))`,
            'rejected per second',
          ],
        ),
      ],
    },
    {
      title: 'Files',
      panels: [
        graph({ title: 'Uploads', description: 'By outcome.', unit: 'reqps' }, [
          `sum by (outcome) (rate(response_file_uploads_total{${PROCESSES}}${RATE}))`,
          '{{outcome}}',
        ]),
        graph({ title: 'Bytes stored', description: 'Size of files before encryption.', unit: 'Bps' }, [
          `sum(rate(response_file_stored_bytes_total{${PROCESSES}}${RATE}))`,
          'stored',
        ]),
        graph(
          {
            title: 'Files to assign or delete',
            description: 'Due now. Usually only a few.',
            unit: 'short',
          },
          [`max(response_files_due{${PROCESSES}})`, 'due'],
        ),
        graph({ title: 'Longest overdue file', description: 'Time since it was due.', unit: 's' }, [
          `max(response_oldest_file_due_seconds{${PROCESSES}})`,
          'wait',
        ]),
      ],
    },
    {
      title: 'Imports',
      panels: [
        graph({ title: 'Rows', description: 'Responses in imported files, by outcome.', unit: 'cps' }, [
          `sum by (outcome) (rate(import_rows_total{${PROCESSES}}${RATE}))`,
          '{{outcome}}',
        ]),
        graph({ title: 'Finished imports', description: 'Within the last hour, by status.', unit: 'short' }, [
          `sum by (status) (increase(imports_ended_total{${PROCESSES}}[1h]))`,
          '{{status}}',
        ]),
        graph({ title: 'Read files', description: 'Within the last hour, by outcome.', unit: 'short' }, [
          `sum by (outcome) (increase(import_readings_total{${PROCESSES}}[1h]))`,
          '{{outcome}}',
        ]),
        graph({ title: 'Waiting imports', description: 'Imports that no process works on.', unit: 'short' }, [
          `max(imports_due{${PROCESSES}})`,
          'due',
        ]),
        graph({ title: 'Longest waiting import', description: 'Time since it was due.', unit: 's' }, [
          `max(imports_oldest_due_seconds{${PROCESSES}})`,
          'wait',
        ]),
      ],
    },
    {
      title: 'Retention',
      panels: [
        graph(
          {
            title: 'Responses deleted',
            description: 'By retention, or because their survey was purged.',
            unit: 'cps',
          },
          [`sum by (cause) (rate(responses_deleted_total{${PROCESSES}}${RATE}))`, '{{cause}}'],
        ),
        graph(
          {
            title: 'Time since the last retention run',
            description: 'At most about an hour: a run over all surveys begins an hour after the last one ended.',
            unit: 's',
          },
          [`time() - max(retention_last_completed_timestamp_seconds{${PROCESSES}})`, 'time'],
        ),
      ],
    },
  ],
};
