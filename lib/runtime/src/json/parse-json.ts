import { JsonError } from './json-error.ts';
import { parseChecked } from './parse-checked.ts';
import { scanJson } from './scan-json.ts';

/**
 * The value of a JSON text (RFC 8259): the same that `JSON.parse` should give. Throws `JsonError` for what is no JSON, and
 * for what would be lost, or read in another way elsewhere: two members of one name, the name `__proto__`, numbers
 * beyond ±(2^53 - 1) (RFC 7493, sections 2.2 and 2.3), more than 64 arrays and objects in each other. All of that is
 * found before anything is built from the text.
 */
export function parseJson(text: string): unknown {
  try {
    scanJson(text);
    return parseChecked(text);
  } catch (error) {
    // Without its cause: that quotes the text, which is nobody's business but the caller's.
    throw error instanceof JsonError ? error : new JsonError('MALFORMED', '');
  }
}
