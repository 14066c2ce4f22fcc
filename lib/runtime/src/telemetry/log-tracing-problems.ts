import { DiagLogLevel, diag } from '@opentelemetry/api';
import type { Logger } from 'pino';

/** The message may contain the whole reply of a collector. */
const MAX_CHARACTERS = 1_000;

/** Logs problems of the OpenTelemetry SDK, such as lost spans, which it would otherwise hide. */
export function logTracingProblems(log: Logger): void {
  const warn = (problem: string) => log.warn({ problem: problem.slice(0, MAX_CHARACTERS) }, 'tracing has a problem');
  const ignore = () => {};
  const logger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
