import { JsonError } from '@survey/runtime/json/json-error';
import { parseJson } from '@survey/runtime/json/parse-json';

/**
 * Parses bytes as a JSON object in UTF-8. Returns `duplicate` if an object has two members with the same name:
 * parsers disagree about which one counts (RFC 8725bis).
 */
export function parseJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | 'malformed' | 'duplicate' {
  try {
    const value = parseJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'malformed';
    // Checked just above.
    return value as Record<string, unknown>;
  } catch (error) {
    return error instanceof JsonError && error.problem === 'DUPLICATE_MEMBER' ? 'duplicate' : 'malformed';
  }
}
