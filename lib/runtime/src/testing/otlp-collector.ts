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

export interface CollectedLine {
  /** Absent for lines outside of a trace. */
  readonly traceId?: string;
  readonly spanId?: string;
  readonly message: unknown;
  readonly severity: string;
  readonly severityNumber: number;
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, unknown>>;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The original JSON, to check that it contains no secrets. */
  readonly raw: string;
}

export interface OtlpCollector {
  /** URL for `OTEL_EXPORTER_OTLP_ENDPOINT` and `fetchSpans`. */
  readonly url: string;
  /** The latest spans, oldest first. */
  readonly spans: readonly CollectedSpan[];
  /** All lines, oldest first. */
  readonly lines: readonly CollectedLine[];
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

/** Environment variables for a process that exports its spans and log lines to a collector quickly. */
export function exportingTo(url: string): Record<string, string> {
  return { ...tracingTo(url), OTEL_LOGS_EXPORTER: 'otlp', OTEL_BLRP_SCHEDULE_DELAY: '100' };
}

/** Fetches the spans of the trace that links to a client's trace. The collector may be in another process. */
export async function fetchSpans(url: string, clientTraceId: string): Promise<readonly CollectedSpan[]> {
  const response = await fetch(`${url}/linked/${clientTraceId}`);
  // The format is that of the collector below.
  return (await response.json()) as readonly CollectedSpan[];
}

/** An OTLP collector for tests. It receives spans and log lines as JSON over HTTP and stores them. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const lines: CollectedLine[] = [];

  async function reply(request: IncomingMessage): Promise<unknown> {
    const [, clientTraceId] = /^\/linked\/(\w+)$/.exec(request.url ?? '') ?? [];
    if (clientTraceId !== undefined) return linkedTo(clientTraceId, spans);
    // The exporters of this project send this format.
    const exported = JSON.parse(await text(request)) as ExportRequest;
    lines.push(...readLines(exported));
    spans.push(...readSpans(exported));
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
    lines,
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

/** The used members of an ExportTraceServiceRequest or ExportLogsServiceRequest. Ids are hexadecimal in JSON. */
interface ExportRequest {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly KeyValue[] };
    readonly schemaUrl?: string;
    readonly scopeSpans?: readonly { readonly schemaUrl?: string; readonly spans?: readonly OtlpSpan[] }[];
  }[];
  readonly resourceLogs?: readonly {
    readonly resource?: { readonly attributes?: readonly KeyValue[] };
    readonly scopeLogs?: readonly { readonly logRecords?: readonly OtlpLogRecord[] }[];
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

interface OtlpLogRecord {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly body?: KeyValue['value'];
  readonly attributes?: readonly KeyValue[];
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const FAILED = 2;

function readLines({ resourceLogs = [] }: ExportRequest): CollectedLine[] {
  return resourceLogs.flatMap(({ resource, scopeLogs = [] }) =>
    scopeLogs.flatMap(({ logRecords = [] }) =>
      logRecords.map((record) => toLine(record, toRecord(resource?.attributes))),
    ),
  );
}

function toLine(record: OtlpLogRecord, resource: CollectedLine['resource']): CollectedLine {
  const { traceId, spanId, severityNumber, severityText, body = {}, attributes } = record;
  return {
    ...(traceId && spanId ? { traceId, spanId } : {}),
    message: Object.values(body)[0],
    severity: severityText,
    severityNumber,
    resource,
    attributes: toRecord(attributes),
    raw: JSON.stringify(record),
  };
}

function readSpans({ resourceSpans = [] }: ExportRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, schemaUrl, scopeSpans = [] }) =>
    scopeSpans.flatMap(({ schemaUrl: scopeSchemaUrl, spans = [] }) =>
      spans.map((span) => toCollected(span, toRecord(resource?.attributes), [schemaUrl, scopeSchemaUrl])),
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
