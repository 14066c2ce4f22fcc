import type { EventType } from './event-type.ts';
import { importEventTypes } from './import-event-types.ts';
import { responseEventTypes } from './response-event-types.ts';
import { surveyEventTypes } from './survey-event-types.ts';
import { webhookEventTypes } from './webhook-event-types.ts';

/** Every type of event that webhooks can be sent. */
export const eventTypes: readonly EventType[] = [
  ...responseEventTypes,
  ...surveyEventTypes,
  ...importEventTypes,
  ...webhookEventTypes,
];

const ALL = '*';
const patterns = new Set<string>(eventTypes.flatMap(({ name }) => patternsOf(name)));

/** The patterns that a type of event fits: its name, its family (`survey.*`) and `*`. */
export function patternsOf(type: string): readonly string[] {
  return [type, `${type.split('.', 1)[0]}.*`, ALL];
}

/** Tells whether there is a type of this name. */
export function isEventName(name: string): boolean {
  return eventTypes.some((type) => type.name === name);
}

/** Tells whether a webhook may ask for this: a type of the catalog, a family, or `*`. */
export function isEventPattern(pattern: string): boolean {
  return patterns.has(pattern);
}
