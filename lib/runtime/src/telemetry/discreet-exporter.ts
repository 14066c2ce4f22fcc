import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** Attributes that say what happened and where, but nothing that a person wrote. */
const TOLD: ReadonlySet<string> = new Set([
  'db.collection.name',
  'db.namespace',
  'db.operation.name',
  'db.system.name',
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'messaging.destination.name',
  'messaging.operation.name',
  'messaging.operation.type',
  'messaging.system',
  'network.protocol.version',
  'rpc.method',
  'rpc.system.name',
  'server.address',
  'server.port',
]);

/**
 * Lets nothing out but a closed list of attributes, whatever an instrumentation may add: no URL, statement, header or
 * address of a client. Texts of errors stay inside too: that of a duplicate key, for one, holds the key.
 */
export function createDiscreetExporter(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(toDiscreet), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function toDiscreet(span: ReadableSpan): ReadableSpan {
  const told = {
    attributes: Object.fromEntries(Object.entries(span.attributes).filter(([name]) => TOLD.has(name))),
    status: { code: span.status.code },
    events: [],
    links: span.links.map(({ context }) => ({ context })),
  };
  // The same span for everything else, which it inherits; a copy would lack its getters.
  return Object.assign(Object.create(span) as ReadableSpan, told);
}
