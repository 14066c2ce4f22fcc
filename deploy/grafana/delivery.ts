import { type Dashboard, graph } from './panels.ts';
import { quantiles, RATE } from './queries.ts';

/** The way of an event out of the database: outbox, Kafka, webhooks. */
export const delivery: Dashboard = {
  name: 'delivery',
  title: 'Survey platform: delivery',
  rows: [
    {
      title: 'Webhooks',
      panels: [
        graph({ title: 'Attempts', description: 'By how they ended.', unit: 'cps' }, [
          `sum by (outcome) (rate(webhook_attempts_total${RATE}))`,
          '{{outcome}}',
        ]),
        graph(
          {
            title: 'From the event to its delivery',
            description:
              'Retries included: receivers that were away for hours show up too. Without what was sent again.',
            unit: 's',
          },
          ...quantiles('webhook_delivery_delay_seconds_bucket{outcome="delivered"}', 0.5, 0.95, 0.99),
        ),
        graph(
          {
            title: 'Deliveries that are over',
            description:
              'Failed ones have been tried for all of their time. Not what was sent again, nor what ended because its webhook was deleted or off.',
            unit: 'cps',
          },
          [`sum by (outcome) (rate(webhook_delivery_delay_seconds_count${RATE}))`, '{{outcome}}'],
        ),
        graph(
          {
            title: 'Waiting for a worker',
            description: 'Counted up to 100,000, without what waits for a receiver that fails or is slow.',
            unit: 'short',
          },
          ['max(webhook_deliveries_due)', 'due'],
        ),
        graph({ title: 'The longest wait for a worker', description: 'It should be a second or two.', unit: 's' }, [
          'max(webhook_oldest_due_seconds)',
          'first in line',
        ]),
        graph(
          {
            title: 'Attempts under way',
            description: 'New deliveries, retries, and slow ones of both.',
            unit: 'short',
          },
          ['sum by (lane) (webhook_attempts_running)', '{{lane}}'],
        ),
        graph(
          {
            title: 'Receivers that get nothing new',
            description: 'Because they failed; half open ones are tried.',
            unit: 'short',
          },
          ['max by (state) (webhook_breakers)', '{{state}}'],
        ),
        graph(
          { title: 'Connections', description: 'New ones, kept ones, and kept ones that were gone.', unit: 'cps' },
          [`sum by (use) (rate(webhook_connections_total${RATE}))`, '{{use}}'],
        ),
        graph(
          { title: 'Repeats', description: 'Events that came again, and results that came too late.', unit: 'cps' },
          [`sum(rate(webhook_duplicates_suppressed_total${RATE}))`, 'suppressed'],
          [`sum(rate(webhook_leases_lost_total${RATE}))`, 'leases lost'],
        ),
        graph({ title: 'Replayed deliveries', description: 'Those that replays made due.', unit: 'cps' }, [
          `sum(rate(webhook_replayed_deliveries_total${RATE}))`,
          'deliveries',
        ]),
        graph({ title: 'Replays that wait', description: 'For a process that goes on with them.', unit: 'short' }, [
          'max(webhook_replays_due)',
          'replays',
        ]),
        graph({ title: 'The longest wait of a replay', description: 'Since they were to go on.', unit: 's' }, [
          'max(webhook_oldest_replay_due_seconds)',
          'wait',
        ]),
      ],
    },
    {
      title: 'Outbox',
      panels: [
        graph({ title: 'Events published', description: 'By the collection that they were kept in.', unit: 'cps' }, [
          `sum by (job, collection) (rate(outbox_published_events_total${RATE}))`,
          '{{job}} {{collection}}',
        ]),
        graph({ title: 'Age of the oldest event', description: 'It should be below a second.', unit: 's' }, [
          'max by (job, collection) (outbox_oldest_event_age_seconds)',
          '{{job}} {{collection}}',
        ]),
        graph(
          {
            title: 'Not published yet',
            description: 'Documents that carry events, and pages that Kafka refused.',
            unit: 'short',
          },
          ['max by (job, collection) (outbox_pending_documents)', '{{job}} {{collection}}'],
          [
            `sum by (job, collection) (rate(outbox_publish_failures_total${RATE}))`,
            '{{job}} {{collection}}, failures a second',
          ],
        ),
      ],
    },
    {
      title: 'Kafka',
      panels: [
        graph({ title: 'Lag', description: 'Messages that a group has not handled yet.', unit: 'short' }, [
          'group_topic:kafka_consumer_lag:sum',
          '{{group}} {{topic}}',
        ]),
        graph({ title: 'Joins of a group', description: 'Rebalances, within ten minutes.', unit: 'short' }, [
          'sum by (group) (increase(kafka_consumer_rebalances_total[10m]))',
          '{{group}}',
        ]),
        graph(
          { title: 'Failures', description: 'Tries that failed, and messages that were put aside.', unit: 'cps' },
          [`sum by (group, topic) (rate(kafka_consumer_failures_total${RATE}))`, '{{group}} {{topic}}'],
          [
            `sum by (group, topic, kind) (rate(kafka_consumer_dead_letters_total${RATE}))`,
            '{{group}} {{topic}}, put aside: {{kind}}',
          ],
        ),
      ],
    },
  ],
};
