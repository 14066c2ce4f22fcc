import { randomUUID } from 'node:crypto';
import type { JsonValue } from '@bufbuild/protobuf';
import { endOfString } from './parse-json.ts';

const COLON = /\s*:/y;
/** Prefix of substitute names. It is random, so no client can send such a name. */
const PREFIX = randomUUID();

/**
 * `JSON.parse` without a defect of V8 13.6 and 14.6 (https://github.com/nodejs/node/issues/63785), which confuses names
 * that contain escapes: after `{"caf\\": 1}` was parsed, `{"caf\u00e9": 1}` may get the same name.
 *
 * Only for JSON that `parseJson` checked, or that we wrote. Throws `SyntaxError`, or `RangeError` if it is nested too
 * deep.
 */
export function parseTrusted(text: string): JsonValue {
  if (!text.includes('\\')) return JSON.parse(text);
  const { rewritten, hasSubstitutes } = withoutEscapedNames(text);
  const value: JsonValue = JSON.parse(rewritten);
  return hasSubstitutes ? renamed(value) : value;
}

/**
 * Rewrites the names of members so that none contains an escape. Names that need an escape become substitutes.
 */
function withoutEscapedNames(text: string): { readonly rewritten: string; readonly hasSubstitutes: boolean } {
  let output = '';
  /** End of the text that `output` replaces. */
  let copiedUntil = 0;
  let hasSubstitutes = false;
  let backslash = text.indexOf('\\');
  for (let start = text.indexOf('"'); start >= 0 && backslash >= 0; ) {
    const end = endOfString(text, start);
    if (backslash < end) {
      // A string before a colon is a name.
      COLON.lastIndex = end;
      if (COLON.test(text)) {
        const name: string = JSON.parse(text.slice(start, end));
        const literal = JSON.stringify(name);
        const needsEscape = literal.includes('\\');
        hasSubstitutes ||= needsEscape;
        output += text.slice(copiedUntil, start) + (needsEscape ? `"${toSubstitute(name)}"` : literal);
        copiedUntil = end;
      }
      backslash = text.indexOf('\\', end);
    }
    start = text.indexOf('"', end);
  }
  return { rewritten: copiedUntil === 0 ? text : output + text.slice(copiedUntil), hasSubstitutes };
}

/** Deterministic, so that V8 still gives objects with the same names the same shape (hidden class). */
function toSubstitute(name: string): string {
  return PREFIX + Buffer.from(name, 'utf16le').toString('hex');
}

function toName(name: string): string {
  return name.startsWith(PREFIX) ? Buffer.from(name.slice(PREFIX.length), 'hex').toString('utf16le') : name;
}

function renamed(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(renamed);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [toName(name), renamed(member)]));
}
