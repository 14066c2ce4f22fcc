/** A background task of a process. */
export interface Worker {
  start(): void;
  /** Resolves when the work has ended. Interrupted work must be safe to repeat. */
  stop(): Promise<void>;
}
