/** Commits a text after a delay. A newer text replaces a text that waits. */
export interface DelayedCommit {
  /** Takes a text, in place of the one that waits. */
  schedule(text: string): void;
  /** Commits the text that waits, immediately. */
  flush(): void;
  /** Drops the text that waits. */
  cancel(): void;
  isWaiting(): boolean;
}

export function createDelayedCommit(commit: (text: string) => void, delayMs: number): DelayedCommit {
  let waiting: { readonly text: string; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  function cancel(): void {
    clearTimeout(waiting?.timer);
    waiting = undefined;
  }
  function flush(): void {
    if (waiting === undefined) return;
    const { text } = waiting;
    cancel();
    commit(text);
  }
  return {
    schedule(text) {
      cancel();
      waiting = { text, timer: setTimeout(flush, delayMs) };
    },
    flush,
    cancel,
    isWaiting: () => waiting !== undefined,
  };
}
