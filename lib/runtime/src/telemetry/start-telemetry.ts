import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { NodeSDK, type NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { createRedactingExporter } from './redacting-exporter.ts';
import { createResource } from './resource.ts';
import { isLogExportWanted, isTracingWanted } from './wanted-signals.ts';

const PROTOCOLS = ['http/protobuf', 'http/json', 'grpc'] as const;

/** Starts OpenTelemetry's SDK, configured by its standard variables. Throws if they name an unknown protocol. */
export function startTelemetry(
  instrumentations: NodeSDKConfiguration['instrumentations'],
  env: Readonly<Record<string, string | undefined>>,
): void {
  // The SDK would ignore an unknown protocol of logs.
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
    // By default, the SDK creates an exporter by the standard variables, behind a bounded queue.
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
