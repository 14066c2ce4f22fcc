export type Lock =
  | { readonly held: true; readonly release: () => void }
  | { readonly held: false; readonly ownerPid: number };

/** Takes the lock for a process (default: this one) when no live process holds it. */
export function tryLock(path: string, pid?: number): Lock;

export interface LockOptions {
  /** The process that holds the lock: it ends when that process does. Default: this one. */
  readonly pid?: number;
  readonly signal?: AbortSignal;
  readonly onWait?: (ownerPid: number) => void;
}

/** Waits until the lock is ours; the result gives it back. */
export function lock(path: string, options?: LockOptions): Promise<() => void>;
