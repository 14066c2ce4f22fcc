import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

const AnnounceContext = createContext<(text: string) => void>(() => undefined);

const SHOWN_MS = 6_000;

/** Returns a function that shows a short text for some seconds, and has it read by screen readers. */
export function useAnnounce(): (text: string) => void {
  return useContext(AnnounceContext);
}

export function AnnounceProvider({ children }: { readonly children: ReactNode }) {
  const [text, setText] = useState('');
  const announce = useCallback((next: string) => {
    setText(next);
    setTimeout(() => setText((current) => (current === next ? '' : current)), SHOWN_MS);
  }, []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <div className="toast" role="status">
        {text}
      </div>
    </AnnounceContext>
  );
}
