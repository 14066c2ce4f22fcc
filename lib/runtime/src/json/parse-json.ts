import { JsonError } from './json-error.ts';
import { parseTrusted } from './parse-trusted.ts';
import { endOfString, scanJson } from './scan-json.ts';

/**
 * Parses JSON (RFC 8259) strictly. Throws `JsonError` for malformed JSON, duplicate members, the name `__proto__`,
 * numbers beyond ±(2^53 - 1) (RFC 7493, sections 2.2 and 2.3) and more than 64 levels. These are found before any value
 * is built.
 */
export function parseJson(text: string): unknown {
  try {
    scanJson(text);
    return parseTrusted(text);
  } catch (error) {
    // Omit the cause: its message quotes the text.
    throw error instanceof JsonError ? error : new JsonError('MALFORMED', '', findSyntaxError(text));
  }
}

const TOKEN = /[ \t\n\r]*(?:([[\]{},:])|(true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|("))?/y;

/** The token that may come next: a value, the end of a container, and so on. */
type Expected = 'value' | 'first item' | 'first name' | 'name' | 'colon' | 'separator';

/** The index of the first character after which no text is JSON. V8 reports it only for some texts. */
function findSyntaxError(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  for (let index = 0; ; ) {
    TOKEN.lastIndex = index;
    const [token = '', sign, scalar, quote] = TOKEN.exec(text) ?? [];
    const start = index + token.length - (sign ?? scalar ?? quote ?? '').length;
    index += token.length;
    const isValue = expected === 'value' || expected === 'first item';
    if (quote !== undefined) {
      index = endOfString(text, start);
      const wrong = findInString(text, start, index);
      if (wrong !== undefined) return wrong;
      if (expected === 'name' || expected === 'first name') expected = 'colon';
      else if (isValue) expected = 'separator';
      else return start;
    } else if (scalar !== undefined && isValue) expected = 'separator';
    else if ((sign === '{' || sign === '[') && isValue) {
      open.push(sign);
      expected = sign === '{' ? 'first name' : 'first item';
    } else if (sign === ':' && expected === 'colon') expected = 'value';
    else if (sign === ',' && expected === 'separator' && open.length > 0)
      expected = open.at(-1) === '{' ? 'name' : 'value';
    else if (sign === '}' && open.at(-1) === '{' && (expected === 'first name' || expected === 'separator')) {
      open.pop();
      expected = 'separator';
    } else if (sign === ']' && open.at(-1) === '[' && (expected === 'first item' || expected === 'separator')) {
      open.pop();
      expected = 'separator';
    } else return start;
  }
}

/** The index of a character that a string cannot have, or of its end if the closing quote is missing. */
function findInString(text: string, start: number, end: number): number | undefined {
  const inside = /(?![\x7f-\x9f])\p{Cc}|\\(?!["\\/bfnrt]|u[\da-fA-F]{4})|\\./gu;
  inside.lastIndex = start + 1;
  for (let match = inside.exec(text); match !== null && match.index < end; match = inside.exec(text))
    if (match[0].length === 1) return match.index;
  return end - start > 1 && text[end - 1] === '"' ? undefined : end;
}
