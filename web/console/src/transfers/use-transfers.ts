import { useCallback, useEffect, useRef, useState } from 'react';

/** A download or upload. */
interface Transfer {
  readonly id: number;
  readonly state: string;
}

/** A started transfer, for the code that runs it. */
interface RunningTransfer<T extends Transfer> {
  readonly id: number;
  /** Aborted if the user cancels the transfer or signs out. */
  readonly signal: AbortSignal;
  readonly update: (change: (transfer: T) => Partial<T>) => void;
  /** Call it when the transfer has ended: it can no longer be cancelled. */
  readonly end: () => void;
}

interface Transfers<T extends Transfer> {
  readonly transfers: readonly T[];
  /**
   * Adds a transfer with the state `running` to the top of the list.
   *
   * @param isKept whether another transfer stays in the list; all stay by default
   */
  readonly begin: (make: (id: number) => T, isKept?: (other: T) => boolean) => RunningTransfer<T>;
  readonly cancel: (id: number) => void;
  /** Removes a transfer from the list. */
  readonly dismiss: (id: number) => void;
}

/**
 * Keeps a list of transfers. They continue on other pages, and are cancelled when the component that uses the hook is
 * unmounted. While one is running, the browser asks before the tab is closed.
 */
export function useTransfers<T extends Transfer>(): Transfers<T> {
  const [transfers, setTransfers] = useState<readonly T[]>([]);
  const controllers = useRef(new Map<number, AbortController>());
  const lastId = useRef(0);
  const isUnmounted = useRef(false);

  useEffect(() => {
    isUnmounted.current = false;
    const running = controllers.current;
    return () => {
      isUnmounted.current = true;
      for (const controller of running.values()) controller.abort();
    };
  }, []);
  const isRunning = transfers.some(({ state }) => state === 'running');
  useEffect(() => {
    if (!isRunning) return undefined;
    const warn = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isRunning]);

  const begin = useCallback<Transfers<T>['begin']>((make, isKept = () => true) => {
    lastId.current += 1;
    const id = lastId.current;
    const controller = new AbortController();
    // The user can sign out while a transfer is prepared.
    if (isUnmounted.current) controller.abort();
    controllers.current.set(id, controller);
    setTransfers((all) => [make(id), ...all.filter(isKept)]);
    return {
      id,
      signal: controller.signal,
      update: (change) => setTransfers((all) => all.map((one) => (one.id === id ? { ...one, ...change(one) } : one))),
      end: () => void controllers.current.delete(id),
    };
  }, []);
  const cancel = useCallback((id: number) => controllers.current.get(id)?.abort(), []);
  const dismiss = useCallback((id: number) => setTransfers((all) => all.filter((one) => one.id !== id)), []);
  return { transfers, begin, cancel, dismiss };
}
