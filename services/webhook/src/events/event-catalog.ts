import type { EventType } from './event-type.ts';
import { importEventTypes } from './import-event-types.ts';
import { responseEventTypes } from './response-event-types.ts';
import { surveyEventTypes } from './survey-event-types.ts';
import { webhookEventTypes } from './webhook-event-types.ts';

/** All event types that webhooks can subscribe to. */
export const eventTypes: readonly EventType[] = [
  ...responseEventTypes,
  ...surveyEventTypes,
  ...importEventTypes,
  ...webhookEventTypes,
];

const ALL = '*';
const patterns = new Set<string>(eventTypes.flatMap(({ name }) => patternsOf(name)));

/** The patterns that match an event type: its name, `survey.*` for example, and `*`. */
export function patternsOf(type: string): readonly string[] {
  return [type, `${type.split('.', 1)[0]}.*`, ALL];
}

export function isEventName(name: string): boolean {
  return eventTypes.some((type) => type.name === name);
}

/** Whether this is a name of the catalog or a pattern that matches one. */
export function isEventPattern(pattern: string): boolean {
  return patterns.has(pattern);
}
