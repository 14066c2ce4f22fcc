/**
 * A signal that is aborted when this process is asked to stop, in any way. `process.disconnect` lets the process end
 * afterwards: the channel to bootstrap.js would keep it alive.
 */
export function listenForStop(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  // The channel ends when bootstrap.js does, even if it is killed.
  process.on('disconnect', stop);
  return controller.signal;
}
