import { type Dashboard, graph } from './panels.ts';
import { quantile, quantiles, RATE } from './queries.ts';

const SUBMIT = 'method="POST", endpoint=~"/v1/public/.+/responses"';

/** The way of an answer into the database: from respondents, with files, and from imports. */
export const ingest: Dashboard = {
  name: 'ingest',
  title: 'Survey platform: ingest',
  rows: [
    {
      title: 'Submits',
      panels: [
        graph({ title: 'Submits by status', description: 'Answers of the gateway to respondents.', unit: 'reqps' }, [
          `sum by (status_code) (rate(http_requests_total{${SUBMIT}}${RATE}))`,
          '{{status_code}}',
        ]),
        graph(
          {
            title: 'Time of a submit',
            description: 'Between buckets, of 25, 100, 500 and 2,500 ms, an estimate.',
            unit: 's',
          },
          ...quantiles(`http_request_duration_seconds_bucket{${SUBMIT}}`, 0.5, 0.99),
        ),
        graph({ title: 'Responses stored', description: 'Imported ones included, by their state.', unit: 'cps' }, [
          `sum by (status) (rate(survey_responses_total${RATE}))`,
          '{{status}}',
        ]),
        graph(
          { title: 'Tenants with most responses', description: 'The ten with most that were stored.', unit: 'cps' },
          [`topk(10, sum by (tenant_id) (rate(survey_responses_total${RATE})))`, '{{tenant_id}}'],
        ),
        graph(
          { title: 'Surveys with most responses', description: 'The ten with most that were stored.', unit: 'cps' },
          [`topk(10, sum by (survey_id) (rate(survey_responses_total${RATE})))`, '{{survey_id}}'],
        ),
        graph({ title: 'Refused clients', description: 'By what they had made too many of.', unit: 'reqps' }, [
          `sum by (limit) (rate(response_client_refusals_total${RATE}))`,
          '{{limit}}',
        ]),
      ],
    },
    {
      title: 'Group commit',
      panels: [
        graph(
          { title: 'Responses in one write', description: 'On average; under load it grows.', unit: 'short' },
          [
            `sum(rate(response_commit_batch_size_sum${RATE})) / sum(rate(response_commit_batch_size_count${RATE}))`,
            'without limits',
          ],
          [
            `sum(rate(response_limited_commit_batch_size_sum${RATE})) / sum(rate(response_limited_commit_batch_size_count${RATE}))`,
            'within limits',
          ],
        ),
        graph(
          { title: 'Wait for a write to begin, p99', description: 'From the acceptance of a response.', unit: 's' },
          [quantile(0.99, 'response_commit_wait_seconds_bucket'), 'without limits'],
          [quantile(0.99, 'response_limited_commit_wait_seconds_bucket'), 'within limits'],
        ),
        graph(
          {
            title: 'Queue',
            description: 'Responses that wait for their write, and those refused for that.',
            unit: 'short',
          },
          ['sum by (instance) (response_commit_waiting)', '{{instance}}, without limits'],
          ['sum by (instance) (response_limited_commit_waiting)', '{{instance}}, within limits'],
          [
            `sum(rate(response_commit_shed_total${RATE})) + sum(rate(response_limited_commit_shed_total${RATE}))`,
            'refused a second',
          ],
        ),
      ],
    },
    {
      title: 'Files',
      panels: [
        graph({ title: 'Uploads', description: 'By how they ended.', unit: 'reqps' }, [
          `sum by (outcome) (rate(response_file_uploads_total${RATE}))`,
          '{{outcome}}',
        ]),
        graph({ title: 'Bytes stored', description: 'Of files, before encryption.', unit: 'Bps' }, [
          `sum(rate(response_file_stored_bytes_total${RATE}))`,
          'stored',
        ]),
        graph(
          {
            title: 'Files to settle or delete',
            description: 'What is due now; seldom more than a few.',
            unit: 'short',
          },
          ['max(response_files_due)', 'due'],
        ),
        graph({ title: 'The longest wait of a file', description: 'Since it was due.', unit: 's' }, [
          'max(response_oldest_file_due_seconds)',
          'wait',
        ]),
      ],
    },
    {
      title: 'Imports',
      panels: [
        graph({ title: 'Rows', description: 'Responses in files, by what became of them.', unit: 'cps' }, [
          `sum by (outcome) (rate(import_rows_total${RATE}))`,
          '{{outcome}}',
        ]),
        graph({ title: 'Imports that ended', description: 'Within the hour before, by how they did.', unit: 'short' }, [
          'sum by (status) (increase(imports_ended_total[1h]))',
          '{{status}}',
        ]),
        graph({ title: 'Imports that wait', description: 'For a process that goes on with them.', unit: 'short' }, [
          'max(imports_due)',
          'due',
        ]),
        graph({ title: 'The longest wait of an import', description: 'Since it was to go on.', unit: 's' }, [
          'max(imports_oldest_due_seconds)',
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
            description: 'Because their time was over, or their survey was purged.',
            unit: 'cps',
          },
          [`sum by (cause) (rate(responses_deleted_total${RATE}))`, '{{cause}}'],
        ),
        graph({ title: 'Since all surveys were gone through', description: 'They are every hour.', unit: 's' }, [
          'time() - max(retention_last_completed_timestamp_seconds)',
          'since then',
        ]),
      ],
    },
  ],
};
