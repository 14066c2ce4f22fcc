import { type Part, readLogTail } from './part.ts';

const DEADLINE_MS = 60_000;

/**
 * Waits for `ready`; when the part ends before, or it takes too long, or the caller gives up, the part is stopped and
 * the error tells the end of its log.
 */
export async function untilReady(
  part: Part,
  logFile: string,
  ready: (signal: AbortSignal) => Promise<void>,
  cancel?: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([AbortSignal.timeout(DEADLINE_MS), ended.signal, ...(cancel ? [cancel] : [])]);
  let manner: string | undefined;
  const early = part.exited.then((text) => {
    manner = text;
    ended.abort();
  });
  try {
    signal.throwIfAborted();
    await Promise.race([ready(signal), early]);
    if (manner !== undefined) throw new Error('not running any more');
  } catch (error) {
    const reason = manner === undefined ? toMessage(error) : `it ended with ${manner}`;
    await part.stop();
    throw new Error(`${reason}; the end of its log:\n${readLogTail(logFile)}`, { cause: error });
  }
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
