/**
 * A run of characters in JSON text. `scalar`: a number, true, false or null. `string`: its characters without quotes,
 * and with escapes. `sign`: one of `{}[]:,`.
 */
type RunKind = 'sign' | 'string' | 'scalar' | 'space';

/**
 * Receives the range of a run in the text. A run can continue in the next piece of text; `isLast` tells the end of a
 * string. A scalar ends where a run of another kind begins.
 */
type OnRun = (kind: RunKind, text: string, from: number, to: number, isLast: boolean) => void;

interface JsonScanner {
  /** Scans the next piece of the text. */
  write(text: string): void;
}

const SIGNS = '{}[]:,';
const SPACE = /[ \t\n\r]+/y;
const SCALAR = /[^ \t\n\r{}[\]:,"]+/y;

/**
 * Splits JSON text of any length into runs while it arrives, in constant memory. It checks nothing: the order of runs
 * and the characters of scalars and strings are up to `onRun`.
 */
export function createJsonScanner(onRun: OnRun): JsonScanner {
  let isInString = false;
  /** Whether the last piece ended after a backslash of a string, so that the next character is escaped. */
  let isEscaped = false;

  /** The position of the closing quote, or the length of the text if the string continues in the next piece. */
  function findStringEnd(text: string, from: number): number {
    let at = isEscaped ? from + 1 : from;
    for (;;) {
      const quote = text.indexOf('"', at);
      const end = quote < 0 ? text.length : quote;
      let backslashes = 0;
      while (end - backslashes > at && text[end - backslashes - 1] === '\\') backslashes += 1;
      isEscaped = backslashes % 2 === 1;
      if (!isEscaped || quote < 0) return end;
      at = quote + 1;
    }
  }

  /** Returns the position after the string, or after this part of it. */
  function readString(text: string, from: number): number {
    const end = findStringEnd(text, from);
    isInString = end === text.length;
    onRun('string', text, from, end, !isInString);
    return end + 1;
  }

  return {
    write(text) {
      if (text === '') return;
      let at = isInString ? readString(text, 0) : 0;
      while (at < text.length) {
        const character = text[at] as string; // within the bounds of the text
        if (character === '"') {
          at = readString(text, at + 1);
          continue;
        }
        const isSign = SIGNS.includes(character);
        const kind = isSign ? 'sign' : ' \t\n\r'.includes(character) ? 'space' : 'scalar';
        let end = at + 1;
        if (!isSign) {
          const pattern = kind === 'space' ? SPACE : SCALAR;
          pattern.lastIndex = at;
          pattern.test(text);
          end = pattern.lastIndex;
        }
        onRun(kind, text, at, end, true);
        at = end;
      }
    },
  };
}
