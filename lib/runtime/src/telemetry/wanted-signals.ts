type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether the standard variables enable tracing: an OTLP endpoint is set, and neither the SDK nor the exporter is
 * disabled. https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function isTracingWanted(env: Environment): boolean {
  return hasEndpoint(env, 'TRACES') && read(env, 'OTEL_TRACES_EXPORTER') !== 'none';
}

/** Whether the standard variables enable the export of log lines. An OTLP endpoint alone does not. */
export function isLogExportWanted(env: Environment): boolean {
  return hasEndpoint(env, 'LOGS') && read(env, 'OTEL_LOGS_EXPORTER') === 'otlp';
}

function hasEndpoint(env: Environment, signal: 'TRACES' | 'LOGS'): boolean {
  if (read(env, 'OTEL_SDK_DISABLED').toLowerCase() === 'true') return false;
  return read(env, 'OTEL_EXPORTER_OTLP_ENDPOINT') !== '' || read(env, `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`) !== '';
}

function read(env: Environment, name: string): string {
  return env[name]?.trim() ?? '';
}
