import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { topics } from '@survey/proto/catalog';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { makeEvent, toMessage } from '@survey/runtime/kafka/outbox-event';
import type { OutgoingMessage } from '@survey/runtime/kafka/publisher';
import type { WebhookReplicas } from '../support/faults/webhook-replicas.ts';
import { startChildServer } from './processes.ts';

/** The results of webhook receivers since the last reset. */
export interface ReceiverReport {
  /** Requests except mute ones. */
  readonly received: number;
  /** Received deliveries of the measured load. */
  readonly fresh: number;
  /** Repeated deliveries of the measured load. */
  readonly repeated: number;
  /** Time from the first to the last. */
  readonly seconds: number;
  /** Time from publishing to the first arrival; NaN without deliveries. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** A message to the receivers: the number of the measured load, or a request for the report. */
export type ToReceivers = { readonly load: number } | 'report';

/** Receivers of webhooks in a process of their own. */
export interface Receivers {
  readonly port: number;
  /** Resets the counters, and returns the number of the load for `data.load` of measured events. */
  reset(): Promise<number>;
  report(): Promise<ReceiverReport>;
  stop(): Promise<void>;
}

export async function startReceivers(): Promise<Receivers> {
  const { child, port, stop } = await startChildServer('receivers');
  let load = 0;
  const ask = async (request: ToReceivers) => {
    const reply = once(child, 'message');
    child.send(request);
    // The only message is the report.
    return (await reply)[0] as ReceiverReport;
  };
  return {
    port,
    async reset() {
      load += 1;
      await ask({ load });
      return load;
    },
    report: () => ask('report'),
    stop,
  };
}

/** One of a thousand addresses of this machine. */
export function addressOf(n: number, port: number): string {
  return `http://127.1.${Math.floor(n / 200)}.${(n % 200) + 1}:${port}`;
}

/** Creates tenants with one webhook each, so each event goes to one receiver. Returns the ids of the tenants. */
export async function createTenants(
  { call }: WebhookReplicas,
  count: number,
  urlOf: (n: number) => string,
): Promise<readonly string[]> {
  const tenants: string[] = [];
  while (tenants.length < count) {
    const some = Array.from({ length: Math.min(50, count - tenants.length) }, async (_, index) => {
      const tenantId = randomUUID();
      await call('POST', 'webhooks', tenantId, { url: urlOf(tenants.length + index), event_types: ['*'] });
      return tenantId;
    });
    tenants.push(...(await Promise.all(some)));
  }
  return tenants;
}

/** A 1 KB event of another service, belonging to this load. */
export function eventFor(tenantId: string, load: number): OutgoingMessage {
  const recordId = randomUUID();
  const data = { at: performance.timeOrigin + performance.now(), load, survey_id: recordId, text: 'a'.repeat(740) };
  const event = {
    topic: topics.survey,
    recordId,
    revision: 1,
    type: 'survey.created',
    source: '/surveys',
    tenantId: toTenantId(tenantId),
    time: new Date(),
    data,
    traceparent: '',
  };
  return toMessage(makeEvent(event));
}
