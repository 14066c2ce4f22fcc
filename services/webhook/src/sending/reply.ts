import type { Dispatcher } from 'undici';

/** The HTTP response of a receiver. */
export interface Reply {
  readonly statusCode: number;
  readonly contentType: string | undefined;
  /** The header `Retry-After`, unparsed. */
  readonly retryAfter: string | undefined;
  /** The first 1000 characters of the body. */
  readonly excerpt: string;
  /** False if a closed connection or the timeout cut off the body. The size limit is a normal end. */
  readonly endedNormally: boolean;
}

const MAX_BODY_BYTES = 16 * 1024;
const MAX_EXCERPT_CHARACTERS = 1_000;
const MAX_CONTENT_TYPE_LENGTH = 200;

/** Reads a reply up to `MAX_BODY_BYTES`, without decompression. Rejects only if no status has arrived. */
export function createReplyReader(): {
  readonly reply: Promise<Reply>;
  readonly handler: Dispatcher.DispatchHandler;
} {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const chunks: Uint8Array[] = [];
  let head: Omit<Reply, 'excerpt' | 'endedNormally'> | undefined;
  let size = 0;

  function end(endedNormally: boolean): void {
    if (head !== undefined) resolve({ ...head, excerpt: toExcerpt(Buffer.concat(chunks)), endedNormally });
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
        // Copy the chunk: the parser reuses its memory.
        const bytes = Buffer.from(chunk.subarray(0, MAX_BODY_BYTES - size));
        chunks.push(bytes);
        size += bytes.length;
        if (size < MAX_BODY_BYTES) return;
        end(true);
        controller.abort(new Error('The limit of the body is reached'));
      },
      onResponseEnd: () => end(true),
      onResponseError(_controller, error) {
        if (head === undefined) reject(error);
        else end(false);
      },
    },
  };
}

/** Returns the first 1000 characters. Invalid UTF-8 and NUL become U+FFFD. Omits a truncated last character. */
export function toExcerpt(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\u{fffd}');
  return Array.from(text).slice(0, MAX_EXCERPT_CHARACTERS).join('');
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
