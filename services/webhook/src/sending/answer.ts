import type { Dispatcher } from 'undici';

/** What a receiver said. */
export interface Answer {
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
 * Reads as much of an answer as is kept, never inflated; the rest is the caller's to cut off. Once there is a status,
 * nothing that happens to the body loses it.
 */
export async function readAnswer({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Answer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isComplete = true;
  try {
    for await (const chunk of body) {
      // A body without an encoding set comes in bytes.
      const bytes = (chunk as Buffer).subarray(0, MAX_BODY_BYTES - size);
      chunks.push(bytes);
      size += bytes.length;
      if (size === MAX_BODY_BYTES) break;
    }
  } catch {
    isComplete = false;
  }
  return {
    statusCode,
    contentType: firstOf(headers['content-type'])?.slice(0, MAX_CONTENT_TYPE_LENGTH),
    retryAfter: firstOf(headers['retry-after']),
    excerpt: toExcerpt(Buffer.concat(chunks)),
    isComplete,
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
