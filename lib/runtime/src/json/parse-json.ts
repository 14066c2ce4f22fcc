import { JsonError } from './json-error.ts';
import { parseTrusted } from './parse-trusted.ts';
import { scanJson } from './scan-json.ts';

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
    throw error instanceof JsonError ? error : new JsonError('MALFORMED', '');
  }
}
