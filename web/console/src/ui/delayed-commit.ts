import { useEffect, useRef, useState } from 'react';

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

const COMMIT_AFTER_MS = 300;

interface DelayedText {
  /** The text to show. */
  readonly text: string;
  readonly change: (text: string) => void;
  /** Commits immediately. Call it when the field loses the focus, and on Enter. */
  readonly flush: () => void;
}

/**
 * Keeps the text of a field whose changes make requests. Typed text is shown immediately, and committed 300 ms after
 * the last key.
 *
 * @param value the committed text, such as that in the address of the page
 */
export function useDelayedText(value: string, commit: (text: string) => void): DelayedText {
  const [typed, setTyped] = useState<string>();
  const [lastValue, setLastValue] = useState(value);
  const latestCommit = useRef(commit);
  const [delayed] = useState(() => createDelayedCommit((text) => latestCommit.current(text), COMMIT_AFTER_MS));
  useEffect(() => {
    latestCommit.current = commit;
  });
  useEffect(() => delayed.cancel, [delayed]);

  // A value that was changed elsewhere is shown, unless the user is still typing.
  if (lastValue !== value) {
    setLastValue(value);
    if (!delayed.isWaiting()) setTyped(undefined);
  }
  return {
    text: typed ?? value,
    change(text) {
      setTyped(text);
      delayed.schedule(text);
    },
    flush: delayed.flush,
  };
}
