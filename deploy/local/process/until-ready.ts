import { type ManagedProcess, readLogTail } from './start-process.ts';

const DEADLINE_MS = 60_000;

/**
 * Waits for `ready`. If the process ends early, takes too long, or the caller aborts, the process is stopped. The error
 * contains the last lines of its log.
 */
export async function untilReady(
  child: ManagedProcess,
  logFile: string,
  ready: (signal: AbortSignal) => Promise<void>,
  cancel?: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([AbortSignal.timeout(DEADLINE_MS), ended.signal, ...(cancel ? [cancel] : [])]);
  let exitReason: string | undefined;
  const earlyExit = child.exited.then((text) => {
    exitReason = text;
    ended.abort();
  });
  try {
    signal.throwIfAborted();
    await Promise.race([ready(signal), earlyExit]);
    if (exitReason !== undefined) throw new Error('not running any more');
  } catch (error) {
    const reason = exitReason === undefined ? toMessage(error) : `it ended with ${exitReason}`;
    await child.stop();
    throw new Error(`${reason}. Last lines of its log:\n${readLogTail(logFile)}`, { cause: error });
  }
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
