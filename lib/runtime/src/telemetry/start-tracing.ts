import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { NodeSDK, type NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { createDiscreetExporter } from './discreet-exporter.ts';

/** Starts OpenTelemetry's SDK as the standard variables say. Throws when they name a protocol that there is not. */
export function startTracing(
  instrumentations: NodeSDKConfiguration['instrumentations'],
  env: Readonly<Record<string, string | undefined>>,
): void {
  const sdk = new NodeSDK({
    instrumentations,
    // Events carry the context in this form, so it cannot be chosen; and nobody's baggage travels through us.
    textMapPropagator: new W3CTraceContextPropagator(),
    traceExporter: createDiscreetExporter(createOtlpExporter(env)),
    // Metrics are for Prometheus to fetch, and logs are on standard output.
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
}

/**
 * Sends spans by the protocol that the standard variables name, `http/protobuf` by default; they also have the
 * address, headers, timeouts and certificates. https://opentelemetry.io/docs/specs/otel/protocol/exporter/
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
      throw new Error(`OTEL_EXPORTER_OTLP_PROTOCOL is none of http/protobuf, http/json, grpc: ${protocol}`);
  }
}
