import { DiagLogLevel, diag } from '@opentelemetry/api';
import type { Logger } from 'pino';

/** The message of lines about failed exports. They are not exported, because each failure would cause another one. */
export const TELEMETRY_PROBLEM = 'telemetry has a problem';

/** The problem may contain the whole reply of a collector. */
const MAX_CHARACTERS = 1_000;

/** Logs problems of the OpenTelemetry SDK, such as lost spans, which it would otherwise hide. */
export function logTelemetryProblems(log: Logger): void {
  const warn = (problem: string) => log.warn({ problem: problem.slice(0, MAX_CHARACTERS) }, TELEMETRY_PROBLEM);
  const ignore = () => {};
  const logger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
