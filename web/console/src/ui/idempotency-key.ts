import { randomUuid } from '@survey/client';
import { useRef } from 'react';

type Send<T> = (idempotencyKey: string) => Promise<T>;

/**
 * Returns a function that sends a request with an idempotency key. It repeats the key of a failed request with the same
 * body, so that pressing a button again after a lost connection creates nothing twice.
 */
export function useIdempotency(): <T>(body: unknown, send: Send<T>) => Promise<T> {
  const unfinished = useRef<{ readonly body: string; readonly key: string }>(undefined);
  return async (body, send) => {
    const text = JSON.stringify(body ?? null);
    const key = unfinished.current?.body === text ? unfinished.current.key : randomUuid();
    unfinished.current = { body: text, key };
    const reply = await send(key);
    unfinished.current = undefined;
    return reply;
  };
}
