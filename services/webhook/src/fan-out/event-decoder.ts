import { toCanonicalJson } from '@survey/runtime/json/canonical-json';
import type { EventMessage } from '@survey/runtime/kafka/event-message';
import { type ReceivedEvent, readEvent } from '@survey/runtime/kafka/read-event';

/** Decodes an event. Throws if the message is not an event, or if its data cannot be JSON. */
export function decodeEvent(message: Pick<EventMessage, 'value' | 'headers'>): ReceivedEvent {
  const event = readEvent(message);
  toCanonicalJson(event.data);
  return event;
}
