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
 * Keeps the text of a field whose changes make requests. Shows immediately what the user types, and commits it 300 ms
 * after the last key.
 *
 * @param value the committed text, such as that in the address of the page
 */
export function useDelayedText(value: string, commit: (text: string) => void): DelayedText {
  const [typed, setTyped] = useState<string>();
  const [seen, setSeen] = useState(value);
  const latest = useRef(commit);
  const [delayed] = useState(() => createDelayedCommit((text) => latest.current(text), COMMIT_AFTER_MS));
  useEffect(() => {
    latest.current = commit;
  });
  useEffect(() => delayed.cancel, [delayed]);

  // A value that was changed elsewhere is shown, unless the user is still typing.
  if (seen !== value) {
    setSeen(value);
    if (!delayed.isWaiting()) setTyped(undefined);
  }
  return {
    text: typed ?? value,
    change(text) {
      setTyped(text);
      delayed.take(text);
    },
    flush: delayed.flush,
  };
}
