import { DiagLogLevel, diag } from '@opentelemetry/api';
import type { Logger } from 'pino';

/** A collector's whole answer may be in it. */
const MAX_CHARACTERS = 1_000;

/** Has the log tell when spans are lost, as while the collector is away: tracing itself carries on without a word. */
export function logTracingProblems(log: Logger): void {
  const warn = (problem: string) => log.warn({ problem: problem.slice(0, MAX_CHARACTERS) }, 'tracing has a problem');
  const quiet = () => {};
  const logger = { error: warn, warn, info: quiet, debug: quiet, verbose: quiet };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
