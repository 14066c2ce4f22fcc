import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as it came in. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent for the first one of a trace. */
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** `service.name` of the process. */
  readonly service: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
  /** Ids of the traces that it links to. */
  readonly links: readonly string[];
  /** As it came, for looking for what should not be in it. */
  readonly raw: string;
}

export interface SpanCollector {
  /** What `OTEL_EXPORTER_OTLP_ENDPOINT` should be, and where `fetchSpans` asks. */
  readonly url: string;
  /** The latest, oldest first. */
  readonly spans: readonly CollectedSpan[];
  close(): Promise<void>;
}

/** A whole run of tests makes many times more than anybody asks for. */
const MAX_SPANS = 50_000;

/** Variables for a process that should send its spans to a collector, soon. */
export function tracingTo(url: string): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '500',
  };
}

/** What a collector, perhaps in another process, has of the trace that links to one of a client's. */
export async function fetchSpans(url: string, clientTraceId: string): Promise<readonly CollectedSpan[]> {
  const response = await fetch(`${url}/linked/${clientTraceId}`);
  // The collector below made it.
  return (await response.json()) as readonly CollectedSpan[];
}

/** An OTLP collector for tests: takes spans over HTTP as JSON and keeps them. */
export async function startSpanCollector(): Promise<SpanCollector> {
  const spans: CollectedSpan[] = [];

  async function answer(request: IncomingMessage): Promise<unknown> {
    const [, clientTraceId] = /^\/linked\/(\w+)$/.exec(request.url ?? '') ?? [];
    if (clientTraceId !== undefined) return linkedTo(clientTraceId, spans);
    spans.push(...(await readSpans(request)));
    spans.splice(0, spans.length - MAX_SPANS);
    return {};
  }

  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    answer(request).then(
      (body) => response.end(JSON.stringify(body)),
      (error) => response.destroy(error),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A run of tests that fails before it closes this one should end.
  server.unref();
  // A listening TCP server has an AddressInfo.
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

/** The parts of an ExportTraceServiceRequest that are read; its JSON has ids in hexadecimal. */
interface ExportRequest {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly KeyValue[] };
    readonly scopeSpans?: readonly { readonly spans?: readonly OtlpSpan[] }[];
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
  // What the exporters of this project send is of this shape.
  const { resourceSpans = [] } = JSON.parse(await text(request)) as ExportRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) => {
    const service = String(toRecord(resource?.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans = [] }) => spans.map((span) => toCollected(span, service)));
  });
}

function toCollected(span: OtlpSpan, service: string): CollectedSpan {
  const { traceId, spanId, parentSpanId, name, kind, attributes, status, links = [] } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId ? { parentSpanId } : {}),
    name,
    kind: KINDS[kind] ?? 'internal',
    service,
    attributes: toRecord(attributes),
    failed: status?.code === FAILED,
    links: links.map((link) => link.traceId),
    raw: JSON.stringify(span),
  };
}

/** A value is an object with one member, named by its type. */
function toRecord(attributes: readonly KeyValue[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
