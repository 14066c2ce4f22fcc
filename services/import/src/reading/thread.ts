import { type MessagePort, threadId } from 'node:worker_threads';
import type { ImportFile } from '@survey/formats/files/import-file';
import { planImport } from '@survey/formats/plans/plan-import';
import { compile } from '@survey/questionnaire/compile';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import type { FromThread, ReadTask, ThreadError, ToThread } from './messages.ts';
import { type ReadRequest, readImport } from './read-import.ts';

/** Readers of most formats read a file several times. Up to this size, its pieces are decrypted and sent once. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

/**
 * Reads a file in a thread. The pool calls this with one task at a time. The thread has no environment variables, no
 * connections and no secrets: pieces of the file come in, and plain data go out.
 */
export async function read({ request, size, port }: ReadTask): Promise<void> {
  const caller = connect(port);
  const send = caller.send;
  const warn = (warning: FieldProblem) => send({ kind: 'warning', warning });
  send({ kind: 'started', threadId });
  try {
    const remote = remoteFile(caller, size);
    const file = size <= MAX_KEPT_BYTES ? keptFile(remote) : remote;
    if ('plan' in request) {
      const { payload, plan } = request;
      const survey = payload && { payload, definition: compile(payload) };
      send({ kind: 'plan', plan: await planImport(file, { ...plan, survey }) });
    } else await readAll(request, file, warn, caller);
    send({ kind: 'done' });
  } catch (error) {
    send({ kind: 'failed', error: toThreadError(error) });
  }
}

async function readAll(
  request: ReadRequest,
  file: ImportFile,
  warn: (warning: FieldProblem) => void,
  { send, ask }: Caller,
): Promise<void> {
  const { read, batches } = await readImport(request, file, warn);
  send({ kind: 'read', read });
  for await (const batch of batches) {
    const taken = ask('more');
    send({ kind: 'batch', batch }, [batch.bytes.buffer]);
    await taken;
  }
}

class Stopped extends Error {
  override readonly name = 'Stopped';
}

interface Caller {
  /** @param moved buffers that move to the receiver */
  send(message: FromThread, moved?: readonly ArrayBuffer[]): void;
  /** Waits for an answer: `more`, or the next piece of an opened file. Rejects when the caller stops the task. */
  ask(answer: 'more' | number): Promise<ToThread>;
}

function connect(port: MessagePort): Caller {
  const waiting = new Map<'more' | number, PromiseWithResolvers<ToThread>>();
  let isStopped = false;
  port.on('message', (message: ToThread) => {
    if (message.kind === 'stop') {
      isStopped = true;
      for (const { reject } of waiting.values()) reject(new Stopped());
      waiting.clear();
      return;
    }
    const key = message.kind === 'more' ? 'more' : message.opened;
    waiting.get(key)?.resolve(message);
    waiting.delete(key);
  });
  return {
    send: (message, moved = []) => port.postMessage(message, moved),
    ask(answer) {
      const asked = Promise.withResolvers<ToThread>();
      if (isStopped) asked.reject(new Stopped());
      else waiting.set(answer, asked);
      return asked.promise;
    },
  };
}

/** The file of the caller, whose pieces are asked for one after another. */
function remoteFile({ send, ask }: Caller, size: number): ImportFile {
  let count = 0;
  return {
    size,
    async *open() {
      const opened = count;
      count += 1;
      try {
        for (;;) {
          const answer = ask(opened);
          send({ kind: 'next', opened });
          const message = await answer;
          if (message.kind !== 'piece') throw new Error('the file cannot be read further');
          if (message.bytes === undefined) return;
          yield message.bytes;
        }
      } finally {
        send({ kind: 'close', opened });
      }
    },
  };
}

/** Keeps the pieces of a file in memory. */
function keptFile(file: ImportFile): ImportFile {
  const source = file.open()[Symbol.asyncIterator]();
  const results: Promise<IteratorResult<Uint8Array>>[] = [];
  return {
    size: file.size,
    async *open() {
      for (let index = 0; ; index += 1) {
        const result = results[index] ?? source.next();
        results[index] = result;
        const { done, value } = await result;
        if (done === true) return;
        yield value;
      }
    },
  };
}

function toThreadError(error: unknown): ThreadError {
  if (error instanceof AppError) return { code: error.code, detail: error.message, errors: error.errors };
  return { stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
