import type { DestinationStream } from 'pino';

/** A destination of lines that are written a little later. */
interface GatheredLines extends DestinationStream {
  /** Writes what there is; the logger calls it after a line that says why the process ends. */
  flushSync(): void;
}

/**
 * Hands on the lines of one turn of the event loop together: a write is a call of the system, and a busy process has
 * many lines in a turn.
 */
export function gatherLines(destination: DestinationStream): GatheredLines {
  let lines = '';

  function flushSync(): void {
    if (lines === '') return;
    const text = lines;
    lines = '';
    destination.write(text);
  }

  return {
    write(line) {
      if (lines === '') setImmediate(flushSync);
      lines += line;
    },
    flushSync,
  };
}
