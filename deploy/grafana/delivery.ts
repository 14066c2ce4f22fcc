import { type Dashboard, graph } from './panels.ts';
import { INSTALLATION, PROCESSES, quantiles, RATE } from './queries.ts';

/** Delivery of events: outbox, Kafka and webhooks. */
export const delivery: Dashboard = {
  name: 'delivery',
  title: 'Survey platform: delivery',
  rows: [
    {
      title: 'Webhooks',
      panels: [
        graph({ title: 'Attempts', description: 'By outcome.', unit: 'cps' }, [
          `sum by (outcome) (rate(webhook_attempts_total{${PROCESSES}}${RATE}))`,
          '{{outcome}}',
        ]),
        graph(
          {
            title: 'Time from event to delivery',
            description:
              'Retries included, so receivers that were down for hours show up. Without redeliveries and replays.',
            unit: 's',
          },
          ...quantiles(`webhook_delivery_delay_seconds_bucket{${PROCESSES}, outcome="delivered"}`, 0.5, 0.95, 0.99),
        ),
        graph(
          {
            title: 'Finished deliveries',
            description:
              'Failed ones have no retries left. Without redeliveries, replays, and deliveries of deleted or inactive webhooks.',
            unit: 'cps',
          },
          [`sum by (outcome) (rate(webhook_delivery_delay_seconds_count{${PROCESSES}}${RATE}))`, '{{outcome}}'],
        ),
        graph(
          {
            title: 'Deliveries that wait for a worker',
            description: 'Up to 100,000. Without deliveries that wait for a failing or slow receiver.',
            unit: 'short',
          },
          [`max(webhook_deliveries_due{${PROCESSES}})`, 'due'],
        ),
        graph({ title: 'Longest wait for a worker', description: 'Usually a second or two.', unit: 's' }, [
          `max(webhook_oldest_due_seconds{${PROCESSES}})`,
          'oldest',
        ]),
        graph(
          {
            title: 'Running attempts',
            description: 'New deliveries, retries, and slow attempts of both.',
            unit: 'short',
          },
          [`sum by (lane) (webhook_attempts_running{${PROCESSES}})`, '{{lane}}'],
        ),
        graph(
          {
            title: 'Circuit breakers',
            description: 'Webhooks that are paused because they failed, by state. Half open ones are probed.',
            unit: 'short',
          },
          [`max by (state) (webhook_breakers{${PROCESSES}})`, '{{state}}'],
        ),
        graph(
          {
            title: 'Connections',
            description: 'New, reused, and replaced because the reused one was closed.',
            unit: 'cps',
          },
          [`sum by (use) (rate(webhook_connections_total{${PROCESSES}}${RATE}))`, '{{use}}'],
        ),
        graph(
          { title: 'Duplicates', description: 'Repeated events, and results after the lease had ended.', unit: 'cps' },
          [`sum(rate(webhook_duplicates_suppressed_total{${PROCESSES}}${RATE}))`, 'suppressed'],
          [`sum(rate(webhook_leases_lost_total{${PROCESSES}}${RATE}))`, 'leases lost'],
        ),
        graph({ title: 'Replayed deliveries', description: 'Deliveries that replays made due.', unit: 'cps' }, [
          `sum(rate(webhook_replayed_deliveries_total{${PROCESSES}}${RATE}))`,
          'deliveries',
        ]),
        graph({ title: 'Waiting replays', description: 'Replays whose next batch is due.', unit: 'short' }, [
          `max(webhook_replays_due{${PROCESSES}})`,
          'replays',
        ]),
        graph({ title: 'Longest waiting replay', description: 'Time since its batch was due.', unit: 's' }, [
          `max(webhook_oldest_replay_due_seconds{${PROCESSES}})`,
          'wait',
        ]),
      ],
    },
    {
      title: 'Outbox',
      panels: [
        graph({ title: 'Events published', description: 'By collection of the outbox.', unit: 'cps' }, [
          `sum by (job, collection) (rate(outbox_published_events_total{${PROCESSES}}${RATE}))`,
          '{{job}} {{collection}}',
        ]),
        graph({ title: 'Age of the oldest event', description: 'Usually below a second.', unit: 's' }, [
          `max by (job, collection) (outbox_oldest_event_age_seconds{${PROCESSES}})`,
          '{{job}} {{collection}}',
        ]),
        graph(
          {
            title: 'Unpublished events',
            description: 'Documents with unpublished events, and batches that Kafka rejected.',
            unit: 'short',
          },
          [`max by (job, collection) (outbox_pending_documents{${PROCESSES}})`, '{{job}} {{collection}}'],
          [
            `sum by (job, collection) (rate(outbox_publish_failures_total{${PROCESSES}}${RATE}))`,
            '{{job}} {{collection}}, failures per second',
          ],
        ),
      ],
    },
    {
      title: 'Kafka',
      panels: [
        graph({ title: 'Lag', description: 'Messages that a group has not processed.', unit: 'short' }, [
          `group_topic:kafka_consumer_lag:sum{${INSTALLATION}}`,
          '{{group}} {{topic}}',
        ]),
        graph(
          {
            title: 'Dead letters',
            description: 'Messages that nobody has replayed, as long as Kafka keeps them.',
            unit: 'short',
          },
          [`max by (topic) (kafka_dead_letters_waiting{${PROCESSES}})`, '{{topic}}'],
        ),
        graph({ title: 'Rebalances', description: 'Joins of a group within ten minutes.', unit: 'short' }, [
          `sum by (group) (increase(kafka_consumer_rebalances_total{${PROCESSES}}[10m]))`,
          '{{group}}',
        ]),
        graph(
          {
            title: 'Failures',
            description: 'Failed attempts, and messages that were moved to dead letters.',
            unit: 'cps',
          },
          [`sum by (group, topic) (rate(kafka_consumer_failures_total{${PROCESSES}}${RATE}))`, '{{group}} {{topic}}'],
          [
            `sum by (group, topic, kind) (rate(kafka_consumer_dead_letters_total{${PROCESSES}}${RATE}))`,
            '{{group}} {{topic}}, dead letters: {{kind}}',
          ],
        ),
      ],
    },
  ],
};
