import { setTimeout as sleep } from 'node:timers/promises';
import { ProxyTracerProvider, trace } from '@opentelemetry/api';
import type { Logger } from 'pino';

/** How long a collector that does not answer may hold up the end of a process. */
const PATIENCE_MS = 2_000;

/** Sends the spans that are left and ends tracing, if there is any. Never throws, and takes two seconds at the most. */
export async function endTracing(log: Logger): Promise<void> {
  const provider = trace.getTracerProvider();
  const started = provider instanceof ProxyTracerProvider ? provider.getDelegate() : provider;
  if (!canShutDown(started)) return;
  const late = sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error('the collector does not answer');
  });
  try {
    await Promise.race([started.shutdown(), late]);
  } catch (error) {
    log.warn({ err: error }, 'the last spans were not sent');
  }
}

/** The interface of the API lacks what the SDK's provider has. */
function canShutDown(provider: object): provider is { shutdown(): Promise<void> } {
  return 'shutdown' in provider && typeof provider.shutdown === 'function';
}
