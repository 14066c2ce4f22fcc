import type { Worker } from 'node:worker_threads';

export interface ThreadLimits {
  /** CPU time, in milliseconds. */
  readonly cpuMs: number;
  readonly heapBytes: number;
}

/** The part of a thread that is measured. A thread that is busy in one long step answers late. */
type Measured = Pick<Worker, 'cpuUsage' | 'getHeapStatistics'>;

interface Dependencies {
  readonly thread: Measured;
  readonly limits: ThreadLimits;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Called once. */
  readonly onExceeded: (what: 'memory' | 'time') => void;
  readonly everyMs?: number;
}

const EVERY_MS = 250;
/**
 * V8 ends a thread at the limit of its heap, but a single step beyond it can end the whole process. So threads are ended
 * before.
 */
const HEAP_SHARE = 0.85;
/** Without an answer, this share of the time counts as CPU time: others can use the CPU, too. */
const UNANSWERED_SHARE = 1 / 3;

/** Measures a thread from now on, until a limit is exceeded. Returns a function that ends the measurement. */
export function createWatch({ thread, limits, now, onExceeded, everyMs = EVERY_MS }: Dependencies): () => void {
  let first: number | undefined;
  let usedMs = 0;
  let unansweredMs = 0;
  let heapBytes = 0;
  let isAsking = false;
  let lastAt = now();

  async function ask(): Promise<void> {
    isAsking = true;
    try {
      const [cpu, heap] = await Promise.all([thread.cpuUsage(), thread.getHeapStatistics()]);
      const total = (cpu.user + cpu.system) / 1_000;
      first ??= total;
      usedMs = total - first;
      unansweredMs = 0;
      heapBytes = heap.used_heap_size;
    } catch {
      // The thread has ended.
    } finally {
      isAsking = false;
    }
  }

  function check(): void {
    // If this process was busy itself, the thread could not answer.
    unansweredMs += Math.min(now() - lastAt, 2 * everyMs) * UNANSWERED_SHARE;
    lastAt = now();
    if (usedMs + unansweredMs > limits.cpuMs) exceed('time');
    else if (heapBytes > limits.heapBytes * HEAP_SHARE) exceed('memory');
    else if (!isAsking) void ask();
  }

  function exceed(what: 'memory' | 'time'): void {
    clearInterval(timer);
    onExceeded(what);
  }

  const timer = setInterval(check, everyMs);
  timer.unref();
  void ask();
  return () => clearInterval(timer);
}
