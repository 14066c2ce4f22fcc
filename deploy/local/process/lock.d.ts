export type Lock =
  | { readonly held: true; readonly release: () => void }
  | { readonly held: false; readonly ownerPid: number };

/** Tries to take the lock for a process (default: this one). Fails if a running process holds it. */
export function tryLock(path: string, pid?: number): Lock;

export interface LockOptions {
  /** The owner of the lock, which is released when this process ends. Default: this process. */
  readonly pid?: number;
  readonly signal?: AbortSignal;
  readonly onWait?: (ownerPid: number) => void;
}

/** Waits for the lock. Call the result to release it. */
export function lock(path: string, options?: LockOptions): Promise<() => void>;
