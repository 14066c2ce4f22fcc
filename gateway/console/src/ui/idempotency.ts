import { useRef } from 'react';

/**
 * Returns a function that gives an idempotency key for an input. The same input gets the same key, so that a second
 * click after a lost reply does nothing twice. Another input gets another key.
 */
export function useIdempotencyKey(): (input: unknown) => string {
  const last = useRef<{ readonly input: string; readonly key: string }>(undefined);
  return (input) => {
    const text = JSON.stringify(input);
    if (last.current?.input !== text) last.current = { input: text, key: randomKey() };
    return last.current.key;
  };
}

/** Also works without HTTPS, where `crypto.randomUUID` is missing. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
