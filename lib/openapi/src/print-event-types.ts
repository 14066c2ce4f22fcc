import { printInterface, type Schema } from './print-types.ts';

/** An event type of the catalog. */
export interface DescribedEvent {
  /** Name, such as `response.submitted`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its `data`. */
  readonly schema: Schema;
}

const HEAD = `// Generated from the event catalog in services/webhook/src/events: change it there, then run
// npx vitest run --project unit services/webhook/src/events/published-events.test.ts -u

/** Members of all events. Ignore members that you do not know: later versions may add some. */
export interface EventEnvelope {
  /** Version of the format of events. */
  api_version: 'v1';
  /** Id of the delivery, the same in each retry. Store it to ignore repeated deliveries. */
  delivery_id: string;
  /** When the delivery was created. */
  timestamp: string;
}
`;

/** Prints the types of all events for the package `@survey/webhooks`. */
export function printEventTypes(events: readonly DescribedEvent[]): string {
  const interfaces = events.map(
    (event) => `${printInterface(toTypeName(event.name), toSchema(event), 'EventEnvelope')}\n`,
  );
  const union = events.map(({ name }) => `  | ${toTypeName(name)}\n`).join('');
  const all = `/** An event. Its member \`event\` has the type. */\nexport type WebhookEvent =\n${union.trimEnd()};\n`;
  return [HEAD, ...interfaces, all].join('\n');
}

function toSchema({ name, description, schema }: DescribedEvent): Schema {
  return {
    description,
    required: ['event', 'data'],
    properties: {
      event: { const: name, description: 'Type of the event.' },
      data: { ...schema, description: 'What happened.' },
    },
  };
}

/** `response.submitted` becomes `ResponseSubmittedEvent`. */
function toTypeName(name: string): string {
  const words = name.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}
