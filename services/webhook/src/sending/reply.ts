import type { Dispatcher } from 'undici';

/** The HTTP response of a receiver. */
export interface Reply {
  readonly statusCode: number;
  readonly contentType: string | undefined;
  /** `Retry-After` as it came. */
  readonly retryAfter: string | undefined;
  /** The first 1000 characters of the body. */
  readonly excerpt: string;
  /** False when the connection or the time ended before the body did. */
  readonly isComplete: boolean;
}

const MAX_BODY_BYTES = 16 * 1024;
const MAX_EXCERPT_CHARACTERS = 1_000;
const MAX_CONTENT_TYPE_LENGTH = 200;

/**
 * Reads as much of a reply as is kept, never inflated, and cuts the rest off with its connection. Once there is a
 * status, nothing that happens to the body loses it; before, the error is the promise's.
 */
export function createReplyReader(): {
  readonly reply: Promise<Reply>;
  readonly handler: Dispatcher.DispatchHandler;
} {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const chunks: Uint8Array[] = [];
  let head: Omit<Reply, 'excerpt' | 'isComplete'> | undefined;
  let size = 0;

  function end(isComplete: boolean): void {
    if (head !== undefined) resolve({ ...head, excerpt: toExcerpt(Buffer.concat(chunks)), isComplete });
  }

  return {
    reply: promise,
    handler: {
      onRequestStart() {},
      onResponseStart(_controller, statusCode, headers) {
        // Informational responses (1xx) come before the reply.
        if (statusCode < 200) return;
        head = {
          statusCode,
          contentType: firstOf(headers['content-type'])?.slice(0, MAX_CONTENT_TYPE_LENGTH),
          retryAfter: firstOf(headers['retry-after']),
        };
      },
      onResponseData(controller, chunk) {
        // The parser goes on using the memory of the chunk.
        const bytes = Buffer.from(chunk.subarray(0, MAX_BODY_BYTES - size));
        chunks.push(bytes);
        size += bytes.length;
        if (size < MAX_BODY_BYTES) return;
        end(true);
        controller.abort(new Error('enough of the reply was read'));
      },
      onResponseEnd: () => end(true),
      onResponseError(_controller, error) {
        if (head === undefined) reject(error);
        else end(false);
      },
    },
  };
}

/**
 * The first 1000 characters as text that can be stored anywhere: what is not UTF-8, and NUL, becomes U+FFFD, and a
 * character that is cut at the end is left out.
 */
export function toExcerpt(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\u{fffd}');
  return Array.from(text).slice(0, MAX_EXCERPT_CHARACTERS).join('');
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
