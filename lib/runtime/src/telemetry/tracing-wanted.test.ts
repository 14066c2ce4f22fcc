import { describe, expect, it } from 'vitest';
import { isTracingWanted } from './tracing-wanted.ts';

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
