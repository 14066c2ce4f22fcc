import type { JsonObject } from '@bufbuild/protobuf';

type Json = Record<string, unknown>;

/** An event type that webhooks can subscribe to. */
export interface DocumentedEvent {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its `data`. */
  readonly schema: JsonObject;
  /** An example of the whole body. */
  readonly example: JsonObject;
}

const DELIVERY_ID = '5f0e7c8a-64b1-4a70-9d0e-2f6a1c3b5d7e';
const PREFIX_NOTE = 'Operators can replace the prefix `X-Service`.';

/** Headers of the requests. */
const HEADERS = [
  header('webhook-id', 'Id of the delivery, the same in each retry.', DELIVERY_ID),
  header('webhook-timestamp', 'The time when this attempt began, in seconds since 1970.', '1769860891'),
  header(
    'webhook-signature',
    'Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  header('X-Service-Delivery', `Id of the delivery. ${PREFIX_NOTE}`, DELIVERY_ID),
  header(
    'X-Service-Signature',
    `HMAC-SHA256 of the body. ${PREFIX_NOTE}`,
    'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  ),
];

/** Not a tag of operations, because client generators put everything with the same tag into one file. */
export const eventTag = { name: 'Events', description: 'Requests that webhooks receive, one for each event type.' };

/**
 * Schemas of events by name: `WebhookEvent` for any body, `ResponseSubmittedEvent` for the body of one type, and
 * `ResponseSubmittedData` for its `data`.
 */
export function eventSchemas(events: readonly DocumentedEvent[]): Readonly<Record<string, Json>> {
  const bodies = events.map((event) => [event.name, `${nameOf(event)}Event`] as const);
  const mapping = Object.fromEntries(bodies.map(([type, name]) => [type, refTo(name).$ref]));
  return {
    WebhookEvent: {
      description: 'The body of a request to a webhook.',
      oneOf: bodies.map(([, name]) => refTo(name)),
      discriminator: { propertyName: 'event', mapping },
    },
    ...Object.fromEntries(events.flatMap(schemasOf)),
  };
}

function schemasOf(event: DocumentedEvent): readonly (readonly [string, Json])[] {
  const { $schema: _schema, title: _title, ...data } = event.schema;
  return [
    [`${nameOf(event)}Event`, bodyOf(event)],
    [`${nameOf(event)}Data`, { ...data, description: `The data of \`${event.name}\`.` }],
  ];
}

/** The `webhooks` of the document: the request that a receiver gets for each event type. */
export function describeEvents(events: readonly DocumentedEvent[]): Readonly<Record<string, Json>> {
  return Object.fromEntries(events.map((event) => [event.name, { post: requestOf(event) }]));
}

function requestOf(event: DocumentedEvent): Json {
  const { description, example } = event;
  return {
    operationId: `on${nameOf(event)}`,
    tags: [eventTag.name],
    summary: description.split(/\.\s|\.$/)[0],
    description: `${description} Verify the signature, store the event, and reply within 30 seconds.`,
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: refTo(`${nameOf(event)}Event`), example } },
    },
    responses: {
      '2XX': { description: 'Delivered.' },
      '410': { description: 'The platform disables the webhook.' },
      default: { description: 'The platform tries again later.' },
    },
  };
}

function header(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string', examples: [example] } };
}

function bodyOf(event: DocumentedEvent): Json {
  const properties = {
    api_version: { type: 'string', description: 'Version of the body: `v1`.' },
    data: refTo(`${nameOf(event)}Data`),
    delivery_id: { type: 'string', format: 'uuid', description: 'Id of the delivery, the same in each retry.' },
    event: { type: 'string', const: event.name, description: 'Type of the event.' },
    timestamp: { type: 'string', format: 'date-time', description: 'The time of creation of the delivery.' },
  };
  return { type: 'object', description: event.description, required: Object.keys(properties), properties };
}

function refTo(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

/** `response.submitted` → `ResponseSubmitted`. */
function nameOf({ name }: DocumentedEvent): string {
  return name.replace(/(?:^|[._])(.)/g, (_, letter: string) => letter.toUpperCase());
}
