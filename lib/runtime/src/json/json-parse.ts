import { randomUUID } from 'node:crypto';
import type { JsonValue } from '@bufbuild/protobuf';
import { endOfString } from './scan-json.ts';

const COLON = /\s*:/y;

/**
 * `JSON.parse`, but for a defect of V8 (13.6 and 14.6, https://github.com/nodejs/node/issues/63785): it compares names
 * that are written with an escape as they are written with those that it expects. Once anybody sent an object with the
 * name `"caf\\"`, another one's `"caf\u00e9"` may be read as the same. Whatever others wrote, or named, is to be read
 * with this. Throws `SyntaxError`.
 */
export function jsonParse(text: string): JsonValue {
  return text.includes('\\') ? parseWithPlainNames(text) : JSON.parse(text);
}

/** Lets V8 read other names, without an escape, where there is one. */
function parseWithPlainNames(text: string): JsonValue {
  // Nobody can know what they begin with, and so there are no others like them.
  const prefix = randomUUID();
  const names = new Map<string, string>();
  let plain = '';
  let taken = 0;
  let backslash = text.indexOf('\\');
  for (let start = text.indexOf('"'); start >= 0 && backslash >= 0; ) {
    const end = endOfString(text, start);
    if (backslash < end) {
      COLON.lastIndex = end;
      if (COLON.test(text)) {
        const substitute = `${prefix}${names.size}`;
        names.set(substitute, JSON.parse(text.slice(start, end)));
        plain += `${text.slice(taken, start)}"${substitute}"`;
        taken = end;
      }
      backslash = text.indexOf('\\', end);
    }
    start = text.indexOf('"', end);
  }
  return names.size === 0 ? JSON.parse(text) : renamed(JSON.parse(plain + text.slice(taken)), names);
}

function renamed(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, member]) => [names.get(name) ?? name, renamed(member, names)]));
}
