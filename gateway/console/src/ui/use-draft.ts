import { useEffect, useRef, useState } from 'react';
import { createDelayedCommit } from './delayed-commit.ts';

const COMMIT_AFTER_MS = 300;

interface Draft {
  /** The text to show. */
  readonly text: string;
  readonly change: (text: string) => void;
  /** Commits immediately. Call it when the field loses the focus, and on Enter. */
  readonly flush: () => void;
}

/**
 * Keeps the text of a field whose value is in the address. The address changes later than keys are pressed, and each
 * change is a request: the text is committed a moment after the last key.
 */
export function useDraft(value: string, commit: (text: string) => void): Draft {
  const [draft, setDraft] = useState<string>();
  const [seen, setSeen] = useState(value);
  const latest = useRef(commit);
  const [delayed] = useState(() => createDelayedCommit((text) => latest.current(text), COMMIT_AFTER_MS));
  useEffect(() => {
    latest.current = commit;
  });
  useEffect(() => delayed.cancel, [delayed]);

  // A new value of the address is shown, unless the user is still typing.
  if (seen !== value) {
    setSeen(value);
    if (!delayed.isWaiting()) setDraft(undefined);
  }
  return {
    text: draft ?? value,
    change(text) {
      setDraft(text);
      delayed.take(text);
    },
    flush: delayed.flush,
  };
}
