import type { WebhookActivity, WebhookHealth } from '@survey/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient } from '../session/session.tsx';
import { formatDuration, formatNumber, formatShare, Time } from '../ui/format.tsx';
import { Facts } from '../ui/page.tsx';
import { QueryView, Status, type Tone } from '../ui/states.tsx';

/** Pause between two reads of the health. The platform computes it every five seconds at most. */
const REFRESH_MS = 10_000;

const CIRCUITS: Readonly<Record<WebhookHealth['circuit'], { readonly label: string; readonly tone: Tone }>> = {
  closed: { label: 'closed', tone: 'good' },
  half_open: { label: 'half open', tone: 'warn' },
  open: { label: 'open', tone: 'bad' },
};

function useHealth(webhookId: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['webhooks', webhookId, 'health'],
    queryFn: ({ signal }) => client.webhooks.getHealth(webhookId, { signal }),
    refetchInterval: REFRESH_MS,
  });
}

/** The health of a webhook as numbers. */
export function HealthPanel({ webhookId }: { readonly webhookId: string }) {
  return <QueryView query={useHealth(webhookId)}>{(health) => <Panel health={health} />}</QueryView>;
}

function Panel({ health }: { readonly health: WebhookHealth }) {
  const {
    circuit,
    last_hour,
    last_day,
    pending,
    retrying,
    failed,
    failing_since,
    next_attempt_at,
    capped = [],
  } = health;
  const waitingCapped = capped.includes('pending') || capped.includes('retrying');
  const age = health.oldest_waiting_age_seconds;
  return (
    <section aria-label="Health">
      <Facts
        facts={[
          {
            label: 'Circuit breaker',
            value: CIRCUITS[circuit].label,
            tone: CIRCUITS[circuit].tone,
            note: <CircuitNote health={health} />,
          },
          {
            label: 'Success, 24 hours',
            value: showShare(last_day),
            tone: toneOf(last_day),
            note: `${formatNumber(last_day.succeeded)} of ${countAttempts(last_day)}`,
          },
          {
            label: 'Success, last hour',
            value: showShare(last_hour),
            tone: toneOf(last_hour),
            note: `${formatNumber(last_hour.succeeded)} of ${countAttempts(last_hour)}`,
          },
          {
            label: 'Latency, median',
            value: showLatency(last_day.latency_p50_ms),
            note: `95% within ${showLatency(last_day.latency_p95_ms)}`,
          },
          {
            label: 'Waiting',
            value: showCount(pending + retrying, waitingCapped),
            note:
              next_attempt_at === undefined || age === undefined ? (
                `${showCount(retrying, capped.includes('retrying'))} are retries`
              ) : (
                <>
                  the oldest for {formatDuration(age * 1000)}, next at <Time value={next_attempt_at} />
                </>
              ),
          },
          {
            label: 'Failed for good',
            value: showCount(failed, capped.includes('failed')),
            tone: failed > 0 ? 'warn' : undefined,
            note:
              failing_since === undefined ? undefined : (
                <>
                  nothing but failures since <Time value={failing_since} />
                </>
              ),
          },
        ]}
      />
    </section>
  );
}

function CircuitNote({ health: { circuit, circuit_probe_at } }: { readonly health: WebhookHealth }) {
  if (circuit === 'closed') return <>Deliveries are sent.</>;
  if (circuit === 'half_open' || circuit_probe_at === undefined) return <>The next delivery decides.</>;
  return (
    <>
      After failures, deliveries wait until <Time value={circuit_probe_at} />.
    </>
  );
}

/** Circuit, success and latency in a row of a table. */
export function HealthCell({ webhookId }: { readonly webhookId: string }) {
  const { data, isError } = useHealth(webhookId);
  if (isError) return <span className="soft">unknown</span>;
  if (data === undefined) return <span className="soft">…</span>;
  return (
    <>
      <div className="nowrap">
        {showShare(data.last_day)} <span className="soft small">of {countAttempts(data.last_day)}</span>
      </div>
      <div className="nowrap">
        <Status {...circuitStatus(data)} />{' '}
        <span className="soft small">median {showLatency(data.last_day.latency_p50_ms)}</span>
      </div>
    </>
  );
}

function circuitStatus({ circuit }: WebhookHealth) {
  const { label, tone } = CIRCUITS[circuit];
  return { value: `circuit ${label}`, tone };
}

function showShare({ success_rate }: WebhookActivity): ReactNode {
  return success_rate === undefined ? '–' : formatShare(success_rate);
}

function countAttempts({ attempts, is_sample }: WebhookActivity): string {
  return `${formatNumber(attempts)} attempts${is_sample ? ', a sample' : ''}`;
}

function toneOf({ success_rate }: WebhookActivity): Tone | undefined {
  if (success_rate === undefined) return undefined;
  if (success_rate >= 0.99) return 'good';
  return success_rate >= 0.9 ? 'warn' : 'bad';
}

function showLatency(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '–' : formatDuration(milliseconds);
}

function showCount(count: number, isCapped: boolean): string {
  return isCapped ? `more than ${formatNumber(count)}` : formatNumber(count);
}
