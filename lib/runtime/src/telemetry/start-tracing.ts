import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { NodeSDK, type NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { createRedactingExporter } from './redacting-exporter.ts';
import { createResource } from './resource.ts';

/** Starts OpenTelemetry's SDK, configured by its standard variables. Throws if they name an unknown protocol. */
export function startTracing(
  instrumentations: NodeSDKConfiguration['instrumentations'],
  env: Readonly<Record<string, string | undefined>>,
): void {
  const sdk = new NodeSDK({
    instrumentations,
    autoDetectResources: false,
    resource: createResource(),
    // Events carry the context in this format, so it is fixed. Baggage is not propagated.
    textMapPropagator: new W3CTraceContextPropagator(),
    traceExporter: createRedactingExporter(createOtlpExporter(env)),
    // Prometheus fetches metrics, and logs go to standard output.
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
}

/**
 * Creates the exporter for the configured protocol, `http/protobuf` by default. The standard variables also set
 * address, headers, timeouts and certificates: https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
function createOtlpExporter(env: Readonly<Record<string, string | undefined>>): SpanExporter {
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL'] || 'http/protobuf';
  switch (protocol) {
    case 'http/protobuf':
      return new ProtobufExporter();
    case 'http/json':
      return new JsonExporter();
    case 'grpc':
      return new GrpcExporter();
    default:
      throw new Error(`OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/protobuf, http/json, grpc: ${protocol}`);
  }
}
