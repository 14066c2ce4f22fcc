import type { Header } from './header-reader.ts';
import { readBody } from './read-body.ts';
import { DEFAULT_MAX_BYTES, type EventHandler, type HandlerOptions, receive } from './receive.ts';
import { createVerifier } from './verifier.ts';

/** A request of Express, or of `node:http`. */
export interface NodeRequest extends AsyncIterable<unknown> {
  readonly headers: Readonly<Record<string, Header>>;
  /** The body, if an earlier handler has read it. */
  readonly body?: unknown;
}

/** A response of Express, or of `node:http`. */
export interface NodeResponse {
  statusCode: number;
  end(): unknown;
}

/**
 * Creates a handler for Express and `node:http`. It replies with 204, or 401 to a request that is not genuine. It reads
 * the raw body itself, so mount it before `express.json()`, or behind `express.raw({ type: '*\/*' })`.
 *
 * If `onEvent` throws, `next` gets the error. Without `next`, the reply is 500.
 */
export function expressHandler(
  { maxBytes = DEFAULT_MAX_BYTES, ...options }: HandlerOptions,
  onEvent: EventHandler,
): (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void) => Promise<void> {
  const verify = createVerifier(options);
  return async (request, response, next) => {
    try {
      const body = await rawBody(request, maxBytes);
      response.statusCode =
        body === undefined ? 413 : await receive(verify, { headers: request.headers, body }, onEvent);
    } catch (error) {
      if (next !== undefined) return next(error);
      response.statusCode = 500;
    }
    response.end();
  };
}

function rawBody(request: NodeRequest, maxBytes: number): Promise<Uint8Array | undefined> | Uint8Array {
  if (request.body === undefined) return readBody(request, maxBytes);
  if (request.body instanceof Uint8Array) return request.body;
  throw new TypeError('The body is parsed already: mount the webhook handler before express.json()');
}
