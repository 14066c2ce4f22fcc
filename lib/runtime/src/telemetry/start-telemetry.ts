import { randomUUID } from 'node:crypto';
import { SpanStatusCode } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { NodeSDK, type NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import manifest from '../../package.json' with { type: 'json' };
import { SCHEMA_URL } from './spans.ts';
import { isLogExportWanted, isTracingWanted } from './wanted-signals.ts';

const PROTOCOLS = ['http/protobuf', 'http/json', 'grpc'] as const;

/** Starts OpenTelemetry's SDK, configured by its standard variables. Throws if they name an unknown protocol. */
export function startTelemetry(
  instrumentations: NodeSDKConfiguration['instrumentations'],
  env: Readonly<Record<string, string | undefined>>,
): void {
  // Throws for an unknown protocol of logs, which the SDK would ignore.
  if (isLogExportWanted(env)) protocolOf('LOGS', env);
  const sdk = new NodeSDK({
    instrumentations,
    autoDetectResources: false,
    resource: createResource(),
    // Events carry the context in this format, so it is fixed. Baggage is not propagated.
    textMapPropagator: new W3CTraceContextPropagator(),
    ...(isTracingWanted(env)
      ? { traceExporter: createRedactingExporter(createSpanExporter(env)) }
      : { spanProcessors: [] }),
    // Metrics are not exported, because Prometheus fetches them.
    metricReaders: [],
    // Without this option, the SDK exports logs as the standard variables say, behind a bounded queue.
    ...(isLogExportWanted(env) ? {} : { logRecordProcessors: [] }),
  });
  sdk.start();
}

/**
 * Creates the exporter for the configured protocol. The standard variables also set address, headers, timeouts and
 * certificates: https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
function createSpanExporter(env: Readonly<Record<string, string | undefined>>): SpanExporter {
  switch (protocolOf('TRACES', env)) {
    case 'http/protobuf':
      return new ProtobufExporter();
    case 'http/json':
      return new JsonExporter();
    case 'grpc':
      return new GrpcExporter();
  }
}

/** The configured protocol, `http/protobuf` by default. */
function protocolOf(
  signal: 'TRACES' | 'LOGS',
  env: Readonly<Record<string, string | undefined>>,
): (typeof PROTOCOLS)[number] {
  const own = `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`;
  const variable = env[own] ? own : 'OTEL_EXPORTER_OTLP_PROTOCOL';
  const name = env[variable] || PROTOCOLS[0];
  const protocol = PROTOCOLS.find((known) => known === name);
  if (protocol !== undefined) return protocol;
  throw new Error(`${variable} must be one of ${PROTOCOLS.join(', ')}: ${name}`);
}

/** The attributes of spans that are exported. They say what happened and where, and contain no data of people. */
const EXPORTED_SPAN_ATTRIBUTES: ReadonlySet<string> = new Set([
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
 * Removes all attributes that are not in `EXPORTED_SPAN_ATTRIBUTES`, such as URLs, statements, headers and client
 * addresses. Error messages and events are removed too: the message of a duplicate key contains the value.
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
      Object.entries({ ...span.attributes, ...databaseStatus(span) }).filter(([name]) =>
        EXPORTED_SPAN_ATTRIBUTES.has(name),
      ),
    ),
    status: { code: span.status.code },
    events: [],
    links: span.links.map(({ context }) => ({ context })),
  };
  // Inherit everything else from the span: a copy would lack its getters.
  return Object.assign(Object.create(span) as ReadableSpan, exported);
}

/** The error code of a failed command. The instrumentation has the code only in a text, which may contain values. */
function databaseStatus({ attributes, status }: ReadableSpan) {
  if (attributes['db.system.name'] === undefined || status.code !== SpanStatusCode.ERROR) return {};
  const code = /^E(\d+) /.exec(status.message ?? '')?.[1];
  return { 'error.type': code ?? '_OTHER', ...(code === undefined ? {} : { 'db.response.status_code': code }) };
}

/**
 * Attributes of processes that are exported. Detectors also know command lines, users and hosts, and operators could
 * set anything in OTEL_RESOURCE_ATTRIBUTES.
 */
const EXPORTED_RESOURCE_ATTRIBUTES = [
  /^service\.(name|namespace|version|instance\.id)$/,
  /^deployment\.environment\.name$/,
  /^telemetry\.sdk\.(language|name|version)$/,
  /^k8s\.((cluster|namespace|node|pod|container|deployment|replicaset)\.name|pod\.uid)$/,
  /^cloud\.(provider|platform|region|availability_zone)$/,
];

/** Describes this process to the collector: by OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES and the version. */
function createResource(): Resource {
  const known = {
    ...defaultResource().attributes,
    'service.version': manifest.version,
    'service.instance.id': randomUUID(),
    ...envDetector.detect().attributes,
  };
  const exported = Object.entries(known).filter(([name]) =>
    EXPORTED_RESOURCE_ATTRIBUTES.some((pattern) => pattern.test(name)),
  );
  return resourceFromAttributes(Object.fromEntries(exported), { schemaUrl: SCHEMA_URL });
}
