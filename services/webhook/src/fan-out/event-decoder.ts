import { toCanonicalJson } from '@survey/runtime/json/canonical-json';
import type { EventMessage } from '@survey/runtime/kafka/event-message';
import { type OccurredEvent, readEvent } from '@survey/runtime/kafka/read-event';

/** Throws when the message is no event, or one that could not be sent as JSON. */
export function decodeEvent(message: Pick<EventMessage, 'value' | 'headers'>): OccurredEvent {
  const event = readEvent(message);
  toCanonicalJson(event.data);
  return event;
}
