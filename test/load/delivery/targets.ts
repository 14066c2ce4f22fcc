import { randomUUID } from 'node:crypto';
import { topics } from '@survey/proto/catalog';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { makeEvent, toMessage } from '@survey/runtime/kafka/outbox-event';
import type { OutgoingMessage } from '@survey/runtime/kafka/publisher';
import type { Receivers } from '../receiver-report.ts';
import type { WebhookProcess } from '../webhook-process.ts';

export interface Parts {
  readonly service: WebhookProcess;
  readonly receivers: Receivers;
}

/** A tenant with one webhook, so each event goes to one receiver. */
export interface Target {
  readonly tenantId: string;
  readonly webhookId: string;
  readonly isMute: boolean;
}

/** One of a thousand addresses of this machine. */
export function addressOf(n: number, port: number): string {
  return `http://127.1.${Math.floor(n / 200)}.${(n % 200) + 1}:${port}`;
}

export async function createTargets(
  { service }: Parts,
  count: number,
  urlOf: (n: number) => string,
  newTenant: () => string = randomUUID,
): Promise<readonly Target[]> {
  const targets: Target[] = [];
  for (let from = 0; from < count; from += 50) {
    const some = Array.from({ length: Math.min(50, count - from) }, async (_, index) => {
      const tenantId = newTenant();
      const url = urlOf(from + index);
      return { tenantId, webhookId: await service.createWebhook(tenantId, url), isMute: url.includes('/mute/') };
    });
    targets.push(...(await Promise.all(some)));
  }
  return targets;
}

/** A 1 KB event of another service, belonging to this load. */
export function eventFor({ tenantId }: Target, load: number): OutgoingMessage {
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

/** Takes the items in turn. */
export const nth = <T>(items: readonly T[], n: number): T => items[n % items.length] as T; // items is never empty
