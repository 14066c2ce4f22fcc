import { setTimeout as sleep } from 'node:timers/promises';
import { ProxyTracerProvider, trace } from '@opentelemetry/api';
import type { Logger } from 'pino';

/** Time limit for the last export, if the collector does not reply. Milliseconds. */
const TIMEOUT_MS = 2_000;

/** Exports the remaining spans and stops tracing, if it is enabled. Never throws, and takes two seconds at most. */
export async function endTracing(log: Logger): Promise<void> {
  const provider = trace.getTracerProvider();
  const started = provider instanceof ProxyTracerProvider ? provider.getDelegate() : provider;
  if (!canShutDown(started)) return;
  const timeout = sleep(TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error('the collector does not reply');
  });
  try {
    await Promise.race([started.shutdown(), timeout]);
  } catch (error) {
    log.warn({ err: error }, 'cannot export the last spans');
  }
}

/** The API's interface lacks the method, but the SDK's provider has it. */
function canShutDown(provider: object): provider is { shutdown(): Promise<void> } {
  return 'shutdown' in provider && typeof provider.shutdown === 'function';
}
