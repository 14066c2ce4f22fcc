import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';

const AnnounceContext = createContext<(text: string) => void>(() => undefined);

const SHOWN_MS = 6_000;

/** Returns a function that shows a short text for some seconds, and has it read by screen readers. */
export function useAnnounce(): (text: string) => void {
  return useContext(AnnounceContext);
}

export function AnnounceProvider({ children }: { readonly children: ReactNode }) {
  const lastId = useRef(0);
  const [shown, setShown] = useState<{ readonly id: number; readonly text: string }>();
  const announce = useCallback((text: string) => {
    lastId.current += 1;
    const id = lastId.current;
    setShown({ id, text });
    setTimeout(() => setShown((current) => (current?.id === id ? undefined : current)), SHOWN_MS);
  }, []);
  return (
    <AnnounceContext value={announce}>
      {children}
      {/* Always there, because screen readers ignore the first text of a new region. */}
      <div role="status">
        {/* A new element for each text, so that the same text is read again. */}
        {shown && (
          <span className="toast" key={shown.id}>
            {shown.text}
          </span>
        )}
      </div>
    </AnnounceContext>
  );
}
