/** Work in the background of a process. */
export interface Worker {
  start(): void;
  /** Resolves when the work has ended; what it was doing is finished or safe to repeat. */
  stop(): Promise<void>;
}
