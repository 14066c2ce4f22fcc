/**
 * Whether the standard variables enable tracing: an OTLP endpoint is set, and neither the SDK nor the exporter is
 * disabled. https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function isTracingWanted(env: Readonly<Record<string, string | undefined>>): boolean {
  const read = (name: string) => env[name]?.trim() ?? '';
  if (read('OTEL_SDK_DISABLED').toLowerCase() === 'true' || read('OTEL_TRACES_EXPORTER') === 'none') return false;
  return read('OTEL_EXPORTER_OTLP_ENDPOINT') !== '' || read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== '';
}
