import { DiagLogLevel, diag, logs, ProxyTracerProvider, trace } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { withTimeLimit } from '../flow/retry.ts';

/** Time limit for the last export, if the collector does not reply. Milliseconds. */
const TIMEOUT_MS = 2_000;

/** Exports the remaining spans and log lines, if enabled, and stops. Never throws, and takes two seconds at most. */
export async function endTelemetry(log: Logger): Promise<void> {
  const tracers = trace.getTracerProvider();
  const providers: readonly object[] = [
    tracers instanceof ProxyTracerProvider ? tracers.getDelegate() : tracers,
    logs.getLoggerProvider(),
  ];
  const started = providers.filter(canShutDown);
  if (started.length === 0) return;
  try {
    const ended = Promise.all(started.map((provider) => provider.shutdown()));
    await withTimeLimit(ended, TIMEOUT_MS, () => {
      throw new Error('the collector does not reply');
    });
  } catch (error) {
    log.warn({ err: error }, 'cannot export the last spans and log lines');
  }
}

/** The API's interfaces lack the method, but the SDK's providers have it. */
function canShutDown(provider: object): provider is { shutdown(): Promise<void> } {
  return 'shutdown' in provider && typeof provider.shutdown === 'function';
}

/**
 * The message of lines about failed exports. `createLineExporter` skips these lines: each would cause another failure.
 */
export const TELEMETRY_PROBLEM = 'telemetry has a problem';

/** The problem may contain the whole reply of a collector. */
const MAX_CHARACTERS = 1_000;

/** Logs problems of the OpenTelemetry SDK, such as lost spans, which the SDK hides by default. */
export function logTelemetryProblems(log: Logger): void {
  const warn = (problem: string) => log.warn({ problem: problem.slice(0, MAX_CHARACTERS) }, TELEMETRY_PROBLEM);
  const ignore = () => {};
  const logger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
