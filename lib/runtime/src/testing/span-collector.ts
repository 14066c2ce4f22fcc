import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent for the root span. */
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** `service.name` of the process. */
  readonly service: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, unknown>>;
  readonly schemaUrls: readonly (string | undefined)[];
  readonly failed: boolean;
  readonly links: readonly string[];
  /** The original JSON, to check that it contains no secrets. */
  readonly raw: string;
}

export interface SpanCollector {
  /** URL for `OTEL_EXPORTER_OTLP_ENDPOINT` and `fetchSpans`. */
  readonly url: string;
  /** The latest spans, oldest first. */
  readonly spans: readonly CollectedSpan[];
  close(): Promise<void>;
}

/** Spans that are kept. A test run produces many more, but tests need only recent ones. */
const MAX_SPANS = 50_000;

/** Environment variables for a process that exports its spans to a collector quickly. */
export function tracingTo(url: string): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '500',
  };
}

/** Fetches the spans of the trace that links to a client's trace. The collector may be in another process. */
export async function fetchSpans(url: string, clientTraceId: string): Promise<readonly CollectedSpan[]> {
  const response = await fetch(`${url}/linked/${clientTraceId}`);
  // The format is that of the collector below.
  return (await response.json()) as readonly CollectedSpan[];
}

/** An OTLP collector for tests. It receives spans as JSON over HTTP and stores them. */
export async function startSpanCollector(): Promise<SpanCollector> {
  const spans: CollectedSpan[] = [];

  async function reply(request: IncomingMessage): Promise<unknown> {
    const [, clientTraceId] = /^\/linked\/(\w+)$/.exec(request.url ?? '') ?? [];
    if (clientTraceId !== undefined) return linkedTo(clientTraceId, spans);
    spans.push(...(await readSpans(request)));
    spans.splice(0, spans.length - MAX_SPANS);
    return {};
  }

  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    reply(request).then(
      (body) => response.end(JSON.stringify(body)),
      (error) => response.destroy(error),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Let the test process exit if it fails before it closes the collector.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function linkedTo(clientTraceId: string, spans: readonly CollectedSpan[]): readonly CollectedSpan[] {
  const traces = new Set(spans.flatMap(({ links, traceId }) => (links.includes(clientTraceId) ? [traceId] : [])));
  return spans.filter(({ traceId }) => traces.has(traceId));
}

/** The used members of an ExportTraceServiceRequest. Ids are hexadecimal in JSON. */
interface ExportRequest {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly KeyValue[] };
    readonly schemaUrl?: string;
    readonly scopeSpans?: readonly { readonly schemaUrl?: string; readonly spans?: readonly OtlpSpan[] }[];
  }[];
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes?: readonly KeyValue[];
  readonly status?: { readonly code?: number };
  readonly links?: readonly { readonly traceId: string }[];
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const FAILED = 2;

async function readSpans(request: IncomingMessage): Promise<CollectedSpan[]> {
  // The exporters of this project send this format.
  const { resourceSpans = [] } = JSON.parse(await text(request)) as ExportRequest;
  return resourceSpans.flatMap(({ resource, schemaUrl, scopeSpans = [] }) =>
    scopeSpans.flatMap(({ schemaUrl: ofScope, spans = [] }) =>
      spans.map((span) => toCollected(span, toRecord(resource?.attributes), [schemaUrl, ofScope])),
    ),
  );
}

function toCollected(
  span: OtlpSpan,
  resource: CollectedSpan['resource'],
  schemaUrls: CollectedSpan['schemaUrls'],
): CollectedSpan {
  const { traceId, spanId, parentSpanId, name, kind, attributes, status, links = [] } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId ? { parentSpanId } : {}),
    name,
    kind: KINDS[kind] ?? 'internal',
    service: String(resource['service.name']),
    attributes: toRecord(attributes),
    resource,
    schemaUrls,
    failed: status?.code === FAILED,
    links: links.map((link) => link.traceId),
    raw: JSON.stringify(span),
  };
}

/** Converts attributes. A value is an object with one member, named by its type. */
function toRecord(attributes: readonly KeyValue[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
