import { JsonError } from './json-error.ts';
import { toPointerToken } from './pointer.ts';

/** How many arrays and objects may be in each other. */
const MAX_DEPTH = 64;
/** Shorter numbers without an exponent are below 2^53. */
const MAX_EXACT_LENGTH = 15;
const NUMBER = /[-+.\deE]*/y;

/** Most objects have no more members: among so few a name is found faster than with a set, which would be garbage soon. */
const FEW_NAMES = 16;

/** Names of an object's members so far. */
interface Names {
  readonly few: string[];
  /** All of them, once they are not few. */
  all: Set<string> | undefined;
}

/** An array or object that is not closed yet. */
interface Open {
  /** Undefined in an array. */
  readonly names: Names | undefined;
  /** Where the scan is in it: the name of a member, or the position of an item. */
  at: string | number;
}

/**
 * Looks through a JSON text once for what `JSON.parse` takes, but changes or loses. Throws `JsonError` at the first.
 * It trusts the syntax: what it lets pass may still be no JSON.
 */
export function scanJson(text: string): void {
  const open: Open[] = [];
  let inside: Open | undefined;
  let nameNext = false;
  const fail = (problem: JsonError['problem']) =>
    new JsonError(problem, open.map(({ at }) => toPointerToken(at)).join(''));

  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '{':
      case '[': {
        if (open.length === MAX_DEPTH) throw fail('TOO_DEEP');
        nameNext = text[at] === '{';
        inside = nameNext ? { names: { few: [], all: undefined }, at: '' } : { names: undefined, at: 0 };
        open.push(inside);
        break;
      }
      case '}':
      case ']':
        open.pop();
        inside = open.at(-1);
        nameNext = false;
        break;
      case ',':
        nameNext = inside?.names !== undefined;
        if (typeof inside?.at === 'number') inside.at += 1;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (nameNext && inside?.names !== undefined) {
          inside.at = nameOf(text.slice(at, end));
          if (inside.at === '__proto__') throw fail('FORBIDDEN_NAME');
          if (!add(inside.names, inside.at)) throw fail('DUPLICATE_MEMBER');
          nameNext = false;
        }
        at = end - 1;
        break;
      }
      case '-':
      case '0':
      case '1':
      case '2':
      case '3':
      case '4':
      case '5':
      case '6':
      case '7':
      case '8':
      case '9': {
        NUMBER.lastIndex = at;
        const literal = NUMBER.exec(text)?.[0] ?? '';
        if (!isExact(literal)) throw fail('NUMBER_OUT_OF_RANGE');
        at += literal.length - 1;
        break;
      }
    }
  }
}

/** False when it is among them already. */
function add(names: Names, name: string): boolean {
  const { few } = names;
  if (names.all?.has(name) ?? few.includes(name)) return false;
  if (names.all === undefined && few.length < FEW_NAMES) few.push(name);
  else {
    names.all ??= new Set(few);
    names.all.add(name);
  }
  return true;
}

/** Position after the quote that closes the string which begins at `start`; that of the text's end when none does. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** Names are compared as they read: `"a"` is also `"\u0061"`. */
function nameOf(literal: string): string {
  return literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);
}

function isExact(literal: string): boolean {
  if (literal.length <= MAX_EXACT_LENGTH && !/e/i.test(literal)) return true;
  // What is no number at all is left to the parser.
  return !(Math.abs(Number(literal)) > Number.MAX_SAFE_INTEGER);
}
