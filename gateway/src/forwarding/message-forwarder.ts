import { type RunningSpan, startChildSpan } from '@survey/runtime/telemetry/spans';
import type { Request, Response } from 'express';
import type { Dispatcher } from 'undici';
import { createConnectionPool } from './connection-pool.ts';
import type { Attempt, ForwarderOptions } from './forwarder.ts';
import { toClientHeaders } from './to-client-headers.ts';
import { codeOf, isTimeout } from './upstream-error.ts';

/** The longest body that is forwarded in one piece. */
export const MAX_SHORT_BODY_BYTES = 64 * 1024;

/** Whether a request is forwarded in one piece, once it is complete. Its length must be known. */
export function isShort({ headers }: Pick<Request, 'headers'>): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= MAX_SHORT_BODY_BYTES;
}

/** Forwards short requests (`isShort`), which costs less than to stream them. Replies may have any length. */
export function createMessageForwarder({ acquireSlot, ...options }: ForwarderOptions) {
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
    forward(request: Request, response: Response, attempt: Attempt, body: Uint8Array | null): Promise<void> {
      request.headers.host = host;
      const { method, url: path, headers } = request;
      return new Promise((resolve, reject) => {
        const slot = acquireSlot(attempt.kind);
        const span = startClientSpan(method, server);
        const { traceparent } = span;
        if (traceparent !== undefined) headers['traceparent'] = traceparent;
        const handler = writeReplyTo(response, attempt, slot.onReply, (error) => {
          slot.release();
          attempt.connectionLost = isLossOfReusedConnection(error);
          span.end(error === undefined ? { attributes: statusOf(response) } : { error: codeOf(error) ?? 'Error' });
          if (error === undefined) resolve();
          else reject(error);
        });
        pool.dispatch({ method: method as Dispatcher.HttpMethod, path, headers, body }, handler);
      });
    },
    close,
  };
}

/** Starts a span in the trace of the request. */
function startClientSpan(method: string, server: Readonly<Record<string, string | number>>): RunningSpan {
  const attributes = { 'http.request.method': method, ...server };
  return startChildSpan({ name: method, kind: 'client', attributes });
}

function statusOf({ headersSent, statusCode }: Response) {
  return headersSent ? { 'http.response.status_code': statusCode } : {};
}

/** Writes the reply of a service to the response. Calls `onBegin` when it begins, and `onEnd` once, with any error. */
function writeReplyTo(
  response: Response,
  attempt: Attempt,
  onBegin: () => void,
  onEnd: (error?: unknown) => void,
): Dispatcher.DispatchHandler {
  let controller: Dispatcher.DispatchController | undefined;
  let length: number | undefined;
  const end = () => controller?.abort(new Error('the exchange was ended'));
  const onClose = () => end();
  const resume = () => controller?.resume();
  response.once('close', onClose);

  const settle = (error?: unknown) => {
    response.off('close', onClose).off('drain', resume);
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
      const headers = toClientHeaders(replyHeaders, response);
      length = Number(headers['content-length'] ?? Number.NaN);
      response.writeHead(statusCode, headers);
    },
    onResponseData(_controller, chunk) {
      // A complete body takes a single write.
      if (chunk.length === length) response.end(chunk);
      else if (!response.write(chunk)) {
        controller?.pause();
        response.once('drain', resume);
      }
    },
    onResponseEnd() {
      if (!response.writableEnded) response.end();
      settle();
    },
    onResponseError(_controller, error) {
      attempt.timedOut ||= isTimeout(error);
      if (response.destroyed) settle();
      else settle(error);
    },
  };
}
