import { DiagLogLevel, diag } from '@opentelemetry/api';
import type { Logger } from 'pino';

/** Has the log tell when spans are lost, as while the collector is away: tracing itself carries on without a word. */
export function logTracingProblems(log: Logger): void {
  const warn = (problem: string) => log.warn({ problem }, 'tracing has a problem');
  const quiet = () => {};
  const logger = { error: warn, warn, info: quiet, debug: quiet, verbose: quiet };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
