import { JsonError } from './json-error.ts';
import { toPointerToken } from './pointer.ts';

/** Maximum nesting of arrays and objects. */
const MAX_DEPTH = 64;
/** Numbers of up to 15 characters without an exponent are below 2^53. */
const MAX_SAFE_LENGTH = 15;
const NUMBER = /[-+.\deE]*/y;

/** Up to this number of members, an array is faster than a set. */
const FEW_NAMES = 16;

/** Names of the members of an object, so far. */
interface Names {
  readonly few: string[];
  /** All names, once there are more than `FEW_NAMES`. */
  all: Set<string> | undefined;
}

/** An array or object that the scan is inside of. */
interface Open {
  readonly names: Names | undefined;
  /** Current name of a member, or index of an item. */
  at: string | number;
}

/**
 * Finds problems that `JSON.parse` does not report, in one pass: see `JsonError`. Throws the first. Does not check the
 * syntax.
 */
export function scanJson(text: string): void {
  const open: Open[] = [];
  let inside: Open | undefined;
  let nameNext = false;
  const fail = (problem: JsonError['problem']) =>
    new JsonError(problem, open.map(({ at }) => toPointerToken(at)).join(''));

  for (let index = 0; index < text.length; index += 1) {
    switch (text[index]) {
      case '{':
      case '[': {
        if (open.length === MAX_DEPTH) throw fail('TOO_DEEP');
        nameNext = text[index] === '{';
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
        const end = endOfString(text, index);
        if (nameNext && inside?.names !== undefined) {
          inside.at = nameOf(text.slice(index, end));
          if (inside.at === '__proto__') throw fail('FORBIDDEN_NAME');
          if (!add(inside.names, inside.at)) throw fail('DUPLICATE_MEMBER');
          nameNext = false;
        }
        index = end - 1;
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
        NUMBER.lastIndex = index;
        const literal = NUMBER.exec(text)?.[0] ?? '';
        if (!isInRange(literal)) throw fail('NUMBER_OUT_OF_RANGE');
        index += literal.length - 1;
        break;
      }
    }
  }
}

/** Adds a name; false if the object has it already. */
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

/** Position after the closing quote of the string that begins at `start`; the end of the text if there is none. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** The name without escapes: `"\u0061"` is `"a"`. */
function nameOf(literal: string): string {
  return literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);
}

function isInRange(literal: string): boolean {
  if (literal.length <= MAX_SAFE_LENGTH && !/e/i.test(literal)) return true;
  // A malformed number is NaN and passes: the parser reports it.
  return !(Math.abs(Number(literal)) > Number.MAX_SAFE_INTEGER);
}
