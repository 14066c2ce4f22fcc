/**
 * Whether the standard variables ask for traces: an OTLP endpoint is named, and neither the SDK nor the exporter is
 * switched off. https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function isTracingWanted(env: Readonly<Record<string, string | undefined>>): boolean {
  const said = (name: string) => env[name]?.trim() ?? '';
  if (said('OTEL_SDK_DISABLED').toLowerCase() === 'true' || said('OTEL_TRACES_EXPORTER') === 'none') return false;
  return said('OTEL_EXPORTER_OTLP_ENDPOINT') !== '' || said('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== '';
}
