import type { DestinationStream } from 'pino';

/** A log destination that writes lines in batches. */
export interface BatchedLines extends DestinationStream {
  /** Writes all lines now. The logger calls it after a fatal line. */
  flushSync(): void;
}

/** Writes all lines of one iteration of the event loop together, to save system calls. */
export function batchLines(destination: DestinationStream): BatchedLines {
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
