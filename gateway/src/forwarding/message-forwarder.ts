import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { startChildSpan } from '@survey/runtime/telemetry/spans';
import type { Request, Response } from 'express';
import { buildConnector, type Dispatcher, Pool } from 'undici';
import {
  type Attempt,
  CONNECT_TIMEOUT_MS,
  codeOf,
  type ForwarderOptions,
  isConnectionLoss,
  isTimeout,
  KEEP_ALIVE_MS,
} from './forwarder.ts';
import { finishReplyHeaders } from './header-rules.ts';

/** The longest body that is forwarded in one piece. */
export const MAX_SHORT_BODY_BYTES = 64 * 1024;

/** Maximum bytes of replies that wait in this gateway for slow clients: of all callers, and of one. */
const REPLY_MEMORY = { total: 64 * 1024 * 1024, perKey: 32 * 1024 * 1024 };

/**
 * Counts the bytes of replies that clients read slowly. A reply that fits is read from the service at full speed, which
 * frees its slot early. Any other reply keeps its slot, and the gateway reads it only as fast as its client.
 */
export type ReplyMemory = Pick<ReturnType<typeof createKeyedSemaphore<string>>, 'acquireOrLimit' | 'release'>;

export function createReplyMemory(): ReplyMemory {
  return createKeyedSemaphore(REPLY_MEMORY);
}

/** Whether a request is forwarded in one piece, once it is complete. The length of its body must be known. */
export function isShort({ headers }: Pick<Request, 'headers'>): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= MAX_SHORT_BODY_BYTES;
}

interface Options extends ForwarderOptions {
  readonly replyMemory: ReplyMemory;
}

/** Forwards short requests (`isShort`) in one piece, which costs less than streaming. Replies may have any length. */
export function createMessageForwarder({ acquireSlot, replyMemory, ...options }: Options) {
  const { url } = options;
  const { pool, isLossOfReusedConnection, close } = createConnectionPool(options);
  const { host, hostname, port, protocol } = new URL(url);
  const server = {
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    'url.scheme': protocol.slice(0, -1),
  };

  return {
    /** Resolves when the exchange is over or the caller has disconnected. Rejects if there is no complete reply. */
    forward(request: Request, response: Response, attempt: Attempt): Promise<void> {
      request.headers.host = host;
      const { method, url: path, headers } = request;
      const { body } = attempt;
      return new Promise((resolve, reject) => {
        const slot = acquireSlot(attempt);
        const attributes = { 'http.request.method': method, ...server };
        const span = startChildSpan({ name: method, kind: 'client', attributes });
        const { traceparent } = span;
        if (traceparent !== undefined) headers['traceparent'] = traceparent;
        const handler = writeReplyTo(response, attempt, replyMemory, slot.onReply, (error) => {
          slot.release();
          attempt.connectionLost = isLossOfReusedConnection(error);
          const { headersSent, statusCode } = response;
          const status = headersSent ? { 'http.response.status_code': statusCode } : {};
          span.end(error === undefined ? { attributes: status } : { error: codeOf(error) ?? 'Error' });
          if (error === undefined) resolve();
          else reject(error);
        });
        pool.dispatch({ method: method as Dispatcher.HttpMethod, path, headers, body }, handler);
      });
    },
    close,
  };
}

/** Writes the reply of a service. Calls `onBegin` when it begins, and `onEnd` once, with any error. */
function writeReplyTo(
  response: Response,
  attempt: Attempt,
  replyMemory: ReplyMemory,
  onBegin: () => void,
  onEnd: (error?: unknown) => void,
): Dispatcher.DispatchHandler {
  let controller: Dispatcher.DispatchController | undefined;
  let length = Number.NaN;
  let received = 0;
  /** Gives back the memory of the rest of the reply; undefined if the reply needs none. */
  let releaseMemory: (() => void) | undefined;
  const end = () => controller?.abort(new Error('the exchange was ended'));
  const onClose = () => {
    end();
    releaseMemory?.();
  };
  const resume = () => controller?.resume();
  response.once('close', onClose);

  /** Reserves memory for the unread rest of the reply. Returns false if its length is unknown or too large. */
  const tryReserve = (): boolean => {
    const rest = length - received;
    const { key, isExempt } = attempt.caller;
    if (Number.isNaN(rest) || replyMemory.acquireOrLimit(key, rest, isExempt) !== undefined) return false;
    releaseMemory = () => replyMemory.release(key, rest);
    return true;
  };

  const finish = (error?: unknown) => {
    response.off('drain', resume);
    if (releaseMemory === undefined) response.off('close', onClose);
    onEnd(error);
  };

  return {
    onRequestStart(started) {
      controller = started;
      attempt.end = end;
      // The client disconnected, or the attempt was ended, before the request was sent.
      if (response.destroyed || attempt.timedOut || attempt.stopped) end();
    },
    onResponseStart(_controller, statusCode, replyHeaders) {
      // 1xx replies only announce the final one.
      if (statusCode < 200) return;
      onBegin();
      const headers = finishReplyHeaders(replyHeaders, response);
      length = Number(headers['content-length'] ?? Number.NaN);
      response.writeHead(statusCode, headers);
    },
    onResponseData(_controller, chunk) {
      // Write a body that arrives in one chunk with a single call.
      received += chunk.length;
      if (chunk.length === length) response.end(chunk);
      else if (!response.write(chunk) && releaseMemory === undefined && !tryReserve()) {
        controller?.pause();
        response.once('drain', resume);
      }
    },
    onResponseEnd() {
      if (!response.writableEnded) response.end();
      finish();
    },
    onResponseError(_controller, error) {
      attempt.timedOut ||= isTimeout(error);
      if (response.destroyed) finish();
      else finish(error);
    },
  };
}

/** Creates a pool of connections to one service. New TLS connections use the latest certificate and CA. */
function createConnectionPool({ url, tls, lookup, idleTimeoutMs, connections }: Omit<ForwarderOptions, 'acquireSlot'>) {
  const toConnector = () => buildConnector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false, lookup, ...tls?.current() });
  let connector = toConnector();
  const lossesOfReused = new WeakSet<Error>();
  const unsubscribe = tls?.onChange(() => {
    connector = toConnector();
  });
  const pool = new Pool(new URL(url).origin, {
    connections,
    pipelining: 1,
    allowH2: false,
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: (options, callback) =>
      connector(options, (...outcome) => {
        const [, socket] = outcome;
        socket?.once('error', (error) => {
          if (socket.bytesRead > 0 && isConnectionLoss(error)) lossesOfReused.add(error);
        });
        callback(...outcome);
      }),
  });
  return {
    pool,
    /** Whether an error is the loss of a connection that had served a reply before. */
    isLossOfReusedConnection: (error: unknown) => error instanceof Error && lossesOfReused.has(error),
    close() {
      unsubscribe?.();
      void pool.destroy();
    },
  };
}
