/** Every type of event that webhooks are sent. */
export const eventTypes = [
  'response.submitted',
  'response.updated',
  'response.deleted',
  'survey.created',
  'survey.updated',
  'survey.published',
  'survey.closed',
  'survey.deleted',
  'import.completed',
  'import.failed',
  'webhook.disabled',
  'webhook.test',
] as const;

const ALL = '*';
const patterns = new Set<string>(eventTypes.flatMap(patternsOf));

/** The patterns that a type of event fits: its name, its family (`survey.*`) and `*`. */
export function patternsOf(type: string): readonly string[] {
  return [type, `${type.split('.', 1)[0]}.*`, ALL];
}

/** Tells whether a webhook may ask for this: a type of the catalog, a family, or `*`. */
export function isEventPattern(pattern: string): boolean {
  return patterns.has(pattern);
}
