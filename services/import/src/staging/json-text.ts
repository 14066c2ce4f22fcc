import { AppError } from '@survey/runtime/errors/app-error';

/** The inside of a string of JSON (RFC 8259, section 7), piece by piece. */
interface TextDecoder {
  /** What the bytes say, in UTF-8. What is cut off at their end comes with the next ones. */
  decode(bytes: Uint8Array, isLast: boolean): readonly Uint8Array[];
}

/** A pair of halves, the first half of one, another escape, or what needs none. */
const PART = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\[^u]|[^\\]+/y;
const FIRST_HALF = /^\\u[dD][89abAB]/;
/** Of a pair of halves. */
const LONGEST = 12;

/** Throws `INVALID_REQUEST` for what is no string of JSON. */
export function createTextDecoder(): TextDecoder {
  const utf8 = new globalThis.TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let carried = '';

  /** How much of a text can be understood without what follows. */
  function whole(text: string): number {
    PART.lastIndex = 0;
    for (let end = 0; ; ) {
      const match = PART.exec(text);
      if (match === null) return end;
      const isFirstHalf = match[0].length < LONGEST && FIRST_HALF.test(match[0]);
      if (isFirstHalf && text.length - end < LONGEST) return end;
      end = PART.lastIndex;
    }
  }

  return {
    decode(bytes, isLast) {
      try {
        const text = carried + utf8.decode(bytes, { stream: !isLast });
        const end = isLast ? text.length : whole(text);
        carried = text.slice(end);
        if (carried.length > LONGEST) throw new SyntaxError('no escape');
        const said: unknown = JSON.parse(`"${text.slice(0, end)}"`);
        if (typeof said !== 'string' || !said.isWellFormed()) throw new SyntaxError('no text');
        return said === '' ? [] : [Buffer.from(said)];
      } catch (cause) {
        throw new AppError('INVALID_REQUEST', { detail: 'The body is not JSON in UTF-8', cause });
      }
    },
  };
}
