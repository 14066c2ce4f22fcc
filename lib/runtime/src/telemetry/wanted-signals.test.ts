import { describe, expect, it } from 'vitest';
import { isLogExportWanted, isTracingWanted } from './wanted-signals.ts';

const ENDPOINT = 'http://collector:4318';

describe('isTracingWanted', () => {
  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT }],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ENDPOINT }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'false', OTEL_TRACES_EXPORTER: 'otlp' }],
  ])('is true for %o', (env) => {
    expect(isTracingWanted(env)).toBe(true);
  });

  it.each([
    [{}],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
    [{ OTEL_SERVICE_NAME: 'survey' }],
    [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: ENDPOINT }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
  ])('is false for %o', (env) => {
    expect(isTracingWanted(env)).toBe(false);
  });
});

describe('isLogExportWanted', () => {
  it.each([
    [{ OTEL_LOGS_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT }],
    [{ OTEL_LOGS_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: ENDPOINT }],
    [{ OTEL_LOGS_EXPORTER: ' otlp', OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
  ])('is true for %o', (env) => {
    expect(isLogExportWanted(env)).toBe(true);
  });

  it.each([
    [{}],
    [{ OTEL_LOGS_EXPORTER: 'otlp' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT }],
    [{ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: ENDPOINT }],
    [{ OTEL_LOGS_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ENDPOINT }],
    [{ OTEL_LOGS_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT }],
    [{ OTEL_LOGS_EXPORTER: 'console', OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT }],
    [{ OTEL_LOGS_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'true' }],
  ])('is false for %o', (env) => {
    expect(isLogExportWanted(env)).toBe(false);
  });
});
