import { AppError } from '@survey/runtime/errors/app-error';

/** Decodes the content of a JSON string (RFC 8259, section 7) chunk by chunk. */
interface JsonStringDecoder {
  /** Decodes a chunk to UTF-8. An incomplete escape at its end is kept for the next chunk. */
  decode(bytes: Uint8Array, isLast: boolean): readonly Uint8Array[];
}

/** A surrogate pair, a single escape, or unescaped text. */
const PART = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\[^u]|[^\\]+/y;
const HIGH_SURROGATE = /^\\u[dD][89abAB]/;
/** Length of an escaped surrogate pair. */
const MAX_ESCAPE_LENGTH = 12;

/** The decoder throws `INVALID_REQUEST` for an invalid JSON string. */
export function createJsonStringDecoder(): JsonStringDecoder {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let carried = '';

  /** Length of the prefix that has only complete escapes. */
  function completeLength(text: string): number {
    PART.lastIndex = 0;
    for (let end = 0; ; ) {
      const match = PART.exec(text);
      if (match === null) return end;
      const isHighSurrogate = match[0].length < MAX_ESCAPE_LENGTH && HIGH_SURROGATE.test(match[0]);
      if (isHighSurrogate && text.length - end < MAX_ESCAPE_LENGTH) return end;
      end = PART.lastIndex;
    }
  }

  return {
    decode(bytes, isLast) {
      try {
        const text = carried + utf8.decode(bytes, { stream: !isLast });
        const end = isLast ? text.length : completeLength(text);
        carried = text.slice(end);
        if (carried.length > MAX_ESCAPE_LENGTH) throw new SyntaxError('invalid escape');
        const decoded: unknown = JSON.parse(`"${text.slice(0, end)}"`);
        if (typeof decoded !== 'string' || !decoded.isWellFormed()) throw new SyntaxError('invalid text');
        return decoded === '' ? [] : [Buffer.from(decoded)];
      } catch (cause) {
        throw new AppError('INVALID_REQUEST', { detail: 'The body is not JSON in UTF-8', cause });
      }
    },
  };
}
