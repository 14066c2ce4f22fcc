import { useEffect, useRef, useState } from 'react';
import { createDelayedCommit } from './delayed-commit.ts';

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
