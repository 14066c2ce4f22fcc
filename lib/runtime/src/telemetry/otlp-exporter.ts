import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { SpanExporter } from '@opentelemetry/sdk-trace';

/**
 * Sends spans by the protocol that the standard variables name, `http/protobuf` by default; they also have the
 * address, headers, timeouts and certificates. https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
export function createOtlpExporter(env: Readonly<Record<string, string | undefined>>): SpanExporter {
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
