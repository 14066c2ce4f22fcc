import type { JsonObject } from '@bufbuild/protobuf';
import { topics } from '@survey/proto/catalog';
import { type ReceivedEvent, readEvent } from '../kafka/event-message.ts';
import { createTestKafka } from './kafka/test-kafka.ts';

/** Reads the data of a tenant's first audit events. Events of the same record keep their order. */
export async function readAuditEvents(tenantId: string, count: number): Promise<readonly JsonObject[]> {
  const isWanted = (event: ReceivedEvent) => event.tenantId === tenantId && event.type.startsWith('audit.');
  const messages = await createTestKafka().readTopic(topics.audit, count, (message) => isWanted(readEvent(message)));
  return messages.map((message) => readEvent(message).data);
}
