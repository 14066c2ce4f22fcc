import { SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** The attributes that are exported. They say what happened and where, and contain no data of people. */
const EXPORTED_ATTRIBUTES: ReadonlySet<string> = new Set([
  'db.collection.name',
  'db.namespace',
  'db.operation.name',
  'db.response.status_code',
  'db.system.name',
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'messaging.consumer.group.name',
  'messaging.destination.name',
  'messaging.destination.partition.id',
  'messaging.kafka.offset',
  'messaging.operation.name',
  'messaging.operation.type',
  'messaging.system',
  'network.protocol.version',
  'rpc.method',
  'rpc.response.status_code',
  'rpc.system.name',
  'server.address',
  'server.port',
  'url.scheme',
]);

/**
 * Removes all attributes that are not on the list, such as URLs, statements, headers and client addresses. Error
 * messages and events are removed too: the message of a duplicate key contains the value.
 */
export function createRedactingExporter(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(redact), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function redact(span: ReadableSpan): ReadableSpan {
  const exported = {
    attributes: Object.fromEntries(
      Object.entries({ ...span.attributes, ...databaseStatus(span) }).filter(([name]) => EXPORTED_ATTRIBUTES.has(name)),
    ),
    status: { code: span.status.code },
    events: [],
    links: span.links.map(({ context }) => ({ context })),
  };
  // Inherit everything else from the span: a copy would lack its getters.
  return Object.assign(Object.create(span) as ReadableSpan, exported);
}

/** The error code of a failed command. The instrumentation has it only in the text, which may contain values. */
function databaseStatus({ attributes, status }: ReadableSpan) {
  if (attributes['db.system.name'] === undefined || status.code !== SpanStatusCode.ERROR) return {};
  const code = /^E(\d+) /.exec(status.message ?? '')?.[1];
  return { 'error.type': code ?? '_OTHER', ...(code === undefined ? {} : { 'db.response.status_code': code }) };
}
