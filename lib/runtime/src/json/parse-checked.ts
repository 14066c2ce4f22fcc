import { randomUUID } from 'node:crypto';
import type { JsonValue } from '@bufbuild/protobuf';
import { endOfString } from './scan-json.ts';

const COLON = /\s*:/y;
/** Names that begin with it are ours: nobody else can know it. */
const PREFIX = randomUUID();

/**
 * `JSON.parse`, but for a defect of V8 (13.6 and 14.6, https://github.com/nodejs/node/issues/63785): it compares names
 * that are written with an escape as they are written with those that it expects. Once anybody sent an object with the
 * name `"caf\\"`, another one's `"caf\u00e9"` may be read as the same. This is for what was checked before, as `parseJson`
 * does, and for what we wrote of it. Throws `SyntaxError`, and `RangeError` where thousands of arrays and objects are in
 * each other.
 */
export function parseChecked(text: string): JsonValue {
  return text.includes('\\') ? parseWithoutEscapes(text) : JSON.parse(text);
}

/** Lets V8 read names without an escape: as they are where they need none, and substitutes for the others. */
function parseWithoutEscapes(text: string): JsonValue {
  let plain = '';
  let taken = 0;
  let hasSubstitutes = false;
  let backslash = text.indexOf('\\');
  for (let start = text.indexOf('"'); start >= 0 && backslash >= 0; ) {
    const end = endOfString(text, start);
    if (backslash < end) {
      COLON.lastIndex = end;
      if (COLON.test(text)) {
        const name: string = JSON.parse(text.slice(start, end));
        const literal = JSON.stringify(name);
        const needsEscape = literal.includes('\\');
        hasSubstitutes ||= needsEscape;
        plain += text.slice(taken, start) + (needsEscape ? `"${toSubstitute(name)}"` : literal);
        taken = end;
      }
      backslash = text.indexOf('\\', end);
    }
    start = text.indexOf('"', end);
  }
  const value: JsonValue = JSON.parse(taken === 0 ? text : plain + text.slice(taken));
  return hasSubstitutes ? renamed(value) : value;
}

/** The same for the same name, so that objects go on being alike. */
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
