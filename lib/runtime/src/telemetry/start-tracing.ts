import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { NodeSDK, type NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import { createDiscreetExporter } from './discreet-exporter.ts';
import { createOtlpExporter } from './otlp-exporter.ts';

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
