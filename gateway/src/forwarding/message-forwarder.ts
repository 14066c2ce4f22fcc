import { collectBody, hasBody } from '@survey/runtime/rest/request-body';
import { type RunningSpan, startSpanBelow } from '@survey/runtime/telemetry/spans';
import type { Request, Response } from 'express';
import type { Dispatcher } from 'undici';
import type { Attempt, ExchangeKind, Forwarder, ForwarderOptions } from './forwarder.ts';
import { createMessagePool } from './message-pool.ts';
import { toClientHeaders } from './to-client-headers.ts';
import { codeOf, isTimeout } from './upstream-error.ts';

/** What is sent to a service in one piece. */
export const MAX_SHORT_BYTES = 64 * 1024;

/** Whether a request is sent on in one piece once all of it is there. One that does not tell its length is not. */
export function isShort({ headers }: Pick<Request, 'headers'>): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= MAX_SHORT_BYTES;
}

interface MessageForwarderOptions extends ForwarderOptions {
  /** Throws when a request of the kind would be more than the service can answer soon. */
  readonly checkRoom: (kind: ExchangeKind) => void;
}

/**
 * Forwards requests that are short (`isShort`), which costs less than streaming them. They take no connection before they
 * are there as a whole; answers of any length are handed on as they come.
 */
export function createMessageForwarder(options: MessageForwarderOptions): Forwarder {
  const { url, tls, lookup, silenceMs, takePlace, checkRoom } = options;
  const { pool, isLossAfterUse, close } = createMessagePool({ url, tls, lookup, silenceMs });
  const { host } = new URL(url);

  function exchange(request: Request, response: Response, body: Uint8Array | null, attempt: Attempt): Promise<void> {
    request.headers.host = host;
    const { method, url: path, headers } = request;
    return new Promise((resolve, reject) => {
      const place = takePlace(attempt.kind);
      const span = startClientSpan(method);
      const { traceparent } = span;
      if (traceparent !== undefined) headers['traceparent'] = traceparent;
      const answer = answerInto(response, attempt, place.answered, (error) => {
        place.free();
        attempt.wasLost = isLossAfterUse(error);
        span.end(error === undefined ? { attributes: statusOf(response) } : { error: codeOf(error) ?? 'Error' });
        if (error === undefined) resolve();
        else reject(error);
      });
      pool.dispatch({ method: method as Dispatcher.HttpMethod, path, headers, body }, answer);
    });
  }

  return {
    async forward(request, response, attempt) {
      const collecting = hasBody(request) ? collectInTime(request, attempt) : null;
      const body = await collecting?.catch((error: unknown) => {
        if (!response.destroyed) throw error;
      });
      if (response.destroyed) return;
      // Many may have become whole at the same time.
      checkRoom(attempt.kind);
      await exchange(request, response, body ?? null, attempt);
    },
    close,
  };
}

/** The call is part of the trace of the request. */
function startClientSpan(method: string): RunningSpan {
  const attributes = { 'http.request.method': method };
  return startSpanBelow({ name: method, kind: 'client', attributes });
}

function statusOf({ headersSent, statusCode }: Response) {
  return headersSent ? { 'http.response.status_code': statusCode } : {};
}

/** All of a body, unless the attempt ends before it is there. */
function collectInTime(request: Request, attempt: Attempt): Promise<Uint8Array> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  attempt.end = () => reject(new Error('the body did not come in time'));
  return Promise.race([collectBody(request, MAX_SHORT_BYTES), late]);
}

/** Writes the answer of a service; `onBegin` hears of its beginning, `onEnd` of its end, or of what kept it from it, once. */
function answerInto(
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
      // It was not sent before, and nobody waits for it any more.
      if (response.destroyed) end();
    },
    onResponseStart(_controller, statusCode, answer) {
      // What announces an answer (1xx) is none.
      if (statusCode < 200) return;
      onBegin();
      const headers = toClientHeaders(answer, response);
      length = Number(headers['content-length'] ?? Number.NaN);
      response.writeHead(statusCode, headers);
    },
    onResponseData(_controller, chunk) {
      // All of it in one write.
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
