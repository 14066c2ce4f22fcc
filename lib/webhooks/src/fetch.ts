import { readBody } from './read-body.ts';
import { DEFAULT_MAX_BYTES, type EventHandler, type HandlerOptions, receive } from './receive.ts';
import { createVerifier } from './verifier.ts';

/**
 * Creates a handler for runtimes with `Request` and `Response`, such as workers, Deno, Bun and Next.js. It replies with
 * 204, or 401 to a request that is not genuine. It rejects if `onEvent` does, so that the runtime replies with 500.
 */
export function fetchHandler(
  { maxBytes = DEFAULT_MAX_BYTES, ...options }: HandlerOptions,
  onEvent: EventHandler,
): (request: Request) => Promise<Response> {
  const verify = createVerifier(options);
  return async (request) => {
    const body = await readBody(chunksOf(request.body), maxBytes);
    if (body === undefined) return new Response(null, { status: 413 });
    return new Response(null, { status: await receive(verify, { headers: request.headers, body }, onEvent) });
  };
}

/** Yields the chunks of a stream. Some browsers cannot iterate over streams. */
async function* chunksOf(stream: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> {
  if (stream === null) return;
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
