import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { MessageChannel, type Worker } from 'node:worker_threads';
import type { ImportFile } from '@survey/formats/files/import-file';
import type { FilePlan } from '@survey/formats/plans/file-plan';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { createFairQueue } from '@survey/runtime/flow/fair-queue';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import type { Logger } from 'pino';
import { Piscina } from 'piscina';
import type { Batch } from './batches.ts';
import type { FromThread, PlanFileRequest, ReadTask, ThreadError, ToThread } from './messages.ts';
import type { ReadRequest, ReadSurvey } from './read-import.ts';
import { createWatch, type ThreadLimits } from './watch.ts';

/** Calls and jobs have separate slots, so that neither waits for the other. */
export type ReadingKind = 'call' | 'job';
export type ReadingOutcome = 'done' | 'failed' | 'too_complex';

interface Dependencies {
  readonly log: Logger;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly onEnd: (kind: ReadingKind, outcome: ReadingOutcome) => void;
  readonly limits?: Readonly<Record<ReadingKind, KindLimits>>;
}

interface KindLimits {
  /** Maximum files that are read at a time, in total and of one tenant. */
  readonly slots: number;
  readonly slotsPerTenant: number;
  /** Heap of a thread, in MiB. */
  readonly heapMb: number;
  /** CPU time for a file, and for each MiB of it, in milliseconds. */
  readonly cpuMs: number;
  readonly cpuMsPerMb: number;
}

/** A file of a call has at most 1 MiB, and takes far less than a second unless somebody made it to take long. */
const CALLS: KindLimits = { slots: 2, slotsPerTenant: 1, heapMb: 128, cpuMs: 10_000, cpuMsPerMb: 0 };
/** The runners of jobs already give each tenant a share. */
const JOBS: KindLimits = { slots: 2, slotsPerTenant: 2, heapMb: 256, cpuMs: 60_000, cpuMsPerMb: 30_000 };
const LIMITS: Readonly<Record<ReadingKind, KindLimits>> = { call: CALLS, job: JOBS };
const MB = 1024 * 1024;
const YOUNG_HEAP_MB = 8;
const STACK_MB = 4;
const IDLE_MS = 30_000;

/** The file of a reading, and what receives its warnings. */
export interface ReadingFile {
  readonly file: ImportFile;
  readonly warn: (warning: FieldProblem) => void;
}

/** The reading of a file in a thread. Call `close` in the end: the thread waits for it. */
export interface ImportReading {
  /** Reads the file up to its responses. Rejects with the error of the file, or with `FILE_TOO_COMPLEX`. */
  read(): Promise<ReadSurvey>;
  /** Reads the responses, after `read`. The thread judges the next batch meanwhile. Throws like `read`. */
  batches(): AsyncIterable<Batch>;
  /** Stops the reading if it has not ended. */
  close(): void;
}

export type Reading = ReturnType<typeof createReading>;

/**
 * Reads files in threads, so that a file that takes long delays nobody else. A thread that takes more memory or CPU time
 * than its limit is replaced, and its file is rejected with `FILE_TOO_COMPLEX`. In calls, one file of a tenant is read at a
 * time; further ones wait.
 */
export function createReading({ log, now, onEnd, limits = LIMITS }: Dependencies) {
  const pool = createPool(Object.values(limits));
  pool.on('error', (err: unknown) => log.warn({ err }, 'a reading thread died'));
  const slotOf = { call: createSlots(limits.call), job: createSlots(limits.job) };

  function start(kind: ReadingKind, tenantId: TenantId, request: ReadTask['request'], { file, warn }: ReadingFile) {
    const { port1: port, port2 } = new MessageChannel();
    const { cpuMs, cpuMsPerMb, heapMb } = limits[kind];
    const threadLimits: ThreadLimits = { cpuMs: cpuMs + (cpuMsPerMb * file.size) / MB, heapBytes: heapMb * MB };
    const results = createInbox<FromThread>();
    const pieces = createPieces(file, (message, moved) => port.postMessage(message, moved));
    const abort = new AbortController();
    const ended = Promise.withResolvers<void>();
    let stopWatch = () => {};
    let isEnded = false;

    const end = (outcome: ReadingOutcome | undefined, error?: unknown) => {
      if (isEnded) return;
      isEnded = true;
      if (outcome !== undefined) onEnd(kind, outcome);
      if (error === undefined) results.add({ kind: 'done' });
      // A reader can wrap the error of the file in its own.
      else results.fail(pieces.error() ?? error);
      ended.resolve();
    };

    port.on('message', (message: FromThread) => {
      if (message.kind === 'started') {
        const thread = pool.threads.find(({ threadId }) => threadId === message.threadId);
        if (thread !== undefined) stopWatch = watch(thread);
      } else if (message.kind === 'next') void pieces.next(message.opened);
      else if (message.kind === 'close') void pieces.close(message.opened);
      else if (message.kind === 'warning') warn(message.warning);
      else if (message.kind === 'done') end('done');
      else if (message.kind === 'failed') end('failed', toError(message.error));
      else results.add(message);
    });

    const watch = (thread: Worker) =>
      createWatch({ thread, limits: threadLimits, now, onExceeded: (what) => abort.abort(tooComplex(what)) });

    async function run(): Promise<void> {
      const leave = await slotOf[kind](tenantId);
      try {
        if (isEnded) return;
        const task: ReadTask = { request, size: file.size, port: port2 };
        await pool.run(task, { transferList: [port2], signal: abort.signal });
        // The last message can arrive after the result of the task.
        await ended.promise;
      } catch (error) {
        const reason: unknown = abort.signal.aborted ? abort.signal.reason : error;
        const failure = isOutOfMemory(reason) ? tooComplex('memory') : reason;
        end(failure instanceof AppError && failure.code === 'FILE_TOO_COMPLEX' ? 'too_complex' : 'failed', failure);
      } finally {
        stopWatch();
        leave();
        port.close();
        await pieces.closeAll();
      }
    }
    void run();

    const send = (message: ToThread) => port.postMessage(message);
    return {
      results,
      send,
      close(): void {
        if (isEnded) return;
        // A thread that waits ends at once. A busy one ends at its limit, or when it next asks for something.
        send({ kind: 'stop' });
        end(undefined, new Error('The reading was stopped'));
      },
    };
  }

  return {
    readImport(kind: ReadingKind, request: ReadRequest, file: ReadingFile): ImportReading {
      const { results, send, close } = start(kind, request.tenantId, request, file);
      return {
        async read() {
          const message = await results.next();
          if (message.kind !== 'read') throw new Error(`Unexpected message of a thread: ${message.kind}`);
          return message.read;
        },
        async *batches() {
          try {
            for (;;) {
              const message = await results.next();
              if (message.kind !== 'batch') return;
              send({ kind: 'more' });
              yield message.batch;
            }
          } finally {
            close();
          }
        },
        close,
      };
    },

    async planImport(tenantId: TenantId, request: PlanFileRequest, file: ImportFile): Promise<FilePlan> {
      const { results, close } = start('call', tenantId, request, { file, warn: () => {} });
      try {
        const message = await results.next();
        if (message.kind !== 'plan') throw new Error(`Unexpected message of a thread: ${message.kind}`);
        return message.plan;
      } finally {
        close();
      }
    },

    /** Ends all threads. */
    async stop(): Promise<void> {
      await pool.destroy();
    },
  };
}

/** One thread is always ready, and each slot has a thread. */
function createPool(kinds: readonly KindLimits[]) {
  const cache = getCompileCacheDir();
  return new Piscina<ReadTask, void>({
    // In an image, both are scripts of a bundle.
    filename: new URL(`./thread${extname(import.meta.url)}`, import.meta.url).href,
    name: 'read',
    minThreads: 1,
    maxThreads: kinds.reduce((sum, { slots }) => sum + slots, 0),
    concurrentTasksPerWorker: 1,
    idleTimeout: IDLE_MS,
    // Threads get no secrets, and no instrumentation of the process. With the compiled code of this process, they start
    // in half of the time.
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) },
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: Math.max(...kinds.map(({ heapMb }) => heapMb)),
      maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
      stackSizeMb: STACK_MB,
    },
  });
}

/** Gives slots to tenants round robin, but passes over tenants that have their share. */
function createSlots({ slots, slotsPerTenant }: KindLimits): (tenantId: TenantId) => Promise<() => void> {
  const taken = createKeyedSemaphore<TenantId>({ perKey: slotsPerTenant, total: slots });
  const waiting = createFairQueue<{ readonly tenantId: TenantId; readonly enter: () => void }>({
    keyOf: ({ tenantId }) => tenantId,
  });
  const admitAll = () => {
    const admit = () => waiting.next(({ tenantId }) => taken.acquireOrLimit(tenantId) === undefined);
    for (let next = admit(); next !== undefined; next = admit()) next.enter();
  };
  return async (tenantId) => {
    await new Promise<void>((enter) => {
      waiting.push({ tenantId, enter });
      admitAll();
    });
    return () => {
      taken.release(tenantId);
      admitAll();
    };
  };
}

/** Messages in the order of their arrival. After a failure, `next` rejects once all earlier messages are taken. */
function createInbox<Message>() {
  const messages: Message[] = [];
  let failure: { readonly error: unknown } | undefined;
  let waiting: PromiseWithResolvers<Message> | undefined;
  return {
    add(message: Message): void {
      if (waiting === undefined) messages.push(message);
      else waiting.resolve(message);
      waiting = undefined;
    },
    fail(error: unknown): void {
      failure ??= { error };
      waiting?.reject(error);
      waiting = undefined;
    },
    async next(): Promise<Message> {
      const message = messages.shift();
      if (message !== undefined) return message;
      if (failure !== undefined) throw failure.error;
      waiting = Promise.withResolvers<Message>();
      return waiting.promise;
    },
  };
}

type Send = (message: ToThread, moved: readonly ArrayBuffer[]) => void;

/** Sends the pieces of a file when a thread asks for them. */
function createPieces(file: ImportFile, send: Send) {
  const iterators = new Map<number, AsyncIterator<Uint8Array>>();
  let broken: { readonly error: unknown } | undefined;
  const close = async (opened: number) => {
    const iterator = iterators.get(opened);
    iterators.delete(opened);
    // An error while the file is closed changes nothing for the reading.
    await Promise.resolve(iterator?.return?.()).catch(() => {});
  };
  return {
    async next(opened: number): Promise<void> {
      const iterator = iterators.get(opened) ?? file.open()[Symbol.asyncIterator]();
      iterators.set(opened, iterator);
      try {
        const { done, value } = await iterator.next();
        if (done === true) send({ kind: 'piece', opened, bytes: undefined }, []);
        else {
          // The copy moves to the thread. Pieces can share their memory with others.
          const bytes = Uint8Array.from(value);
          send({ kind: 'piece', opened, bytes }, [bytes.buffer]);
        }
      } catch (error) {
        broken ??= { error };
        send({ kind: 'broken', opened }, []);
      }
    },
    close,
    async closeAll(): Promise<void> {
      await Promise.all([...iterators.keys()].map(close));
    },
    /** The error because of which the file cannot be read. */
    error: (): unknown => broken?.error,
  };
}

function tooComplex(what: 'memory' | 'time'): AppError {
  const detail = `The file takes more ${what} to read than is allowed. Split it, or remove unusual formatting`;
  return new AppError('FILE_TOO_COMPLEX', { detail });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function toError(error: ThreadError): Error {
  if ('code' in error) return new AppError(error.code, { detail: error.detail, errors: error.errors });
  const unexpected = new Error('A thread failed to read a file');
  unexpected.stack = error.stack;
  return unexpected;
}
