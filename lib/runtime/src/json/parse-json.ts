import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from './is-object.ts';
import { toPointerToken } from './pointer.ts';

/**
 * Parses JSON (RFC 8259) strictly. Throws `JsonError` for malformed JSON, duplicate members, the name `__proto__`,
 * numbers beyond ±(2^53 - 1) (RFC 7493, sections 2.2 and 2.3) and more than 64 levels. `__proto__` could change the
 * prototype of an object that the members are copied to. Limits are checked before any value is built.
 */
export function parseJson(text: string): unknown {
  try {
    scanJson(text);
    return parseUnchecked(text);
  } catch (error) {
    // Omit the cause: its message quotes the text.
    throw error instanceof JsonError ? error : new JsonError('MALFORMED', '', findSyntaxError(text));
  }
}

const TOKEN = /[ \t\n\r]*(?:([[\]{},:])|(true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|("))?/y;

/** The token that may come next. The closing bracket may come instead of a first item or first name. */
type Expected = 'value' | 'first item' | 'first name' | 'name' | 'colon' | 'comma or end';

/** The index of the first wrong character. V8 reports it only for some texts. */
function findSyntaxError(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  for (let index = 0; ; ) {
    TOKEN.lastIndex = index;
    const [token = '', punctuator, scalar, quote] = TOKEN.exec(text) ?? [];
    const start = index + token.length - (punctuator ?? scalar ?? quote ?? '').length;
    index += token.length;
    const isValue = expected === 'value' || expected === 'first item';
    if (quote !== undefined) {
      index = endOfString(text, start);
      const wrong = findInString(text, start, index);
      if (wrong !== undefined) return wrong;
      if (expected === 'name' || expected === 'first name') expected = 'colon';
      else if (isValue) expected = 'comma or end';
      else return start;
    } else if (scalar !== undefined && isValue) expected = 'comma or end';
    else if ((punctuator === '{' || punctuator === '[') && isValue) {
      open.push(punctuator);
      expected = punctuator === '{' ? 'first name' : 'first item';
    } else if (punctuator === ':' && expected === 'colon') expected = 'value';
    else if (punctuator === ',' && expected === 'comma or end' && open.length > 0)
      expected = open.at(-1) === '{' ? 'name' : 'value';
    else if (punctuator === '}' && open.at(-1) === '{' && (expected === 'first name' || expected === 'comma or end')) {
      open.pop();
      expected = 'comma or end';
    } else if (
      punctuator === ']' &&
      open.at(-1) === '[' &&
      (expected === 'first item' || expected === 'comma or end')
    ) {
      open.pop();
      expected = 'comma or end';
    } else return start;
  }
}

/** The index of the first invalid character of a string, or of its end if the closing quote is missing. */
function findInString(text: string, start: number, end: number): number | undefined {
  // Matches control characters, lone backslashes, and valid escapes. Only valid escapes have more than one character.
  const special = /(?![\x7f-\x9f])\p{Cc}|\\(?!["\\/bfnrt]|u[\da-fA-F]{4})|\\./gu;
  special.lastIndex = start + 1;
  for (let match = special.exec(text); match !== null && match.index < end; match = special.exec(text))
    if (match[0].length === 1) return match.index;
  return end - start > 1 && text[end - 1] === '"' ? undefined : end;
}

const MAX_DEPTH = 64;
/** Numbers of up to 15 characters without an exponent are below 2^53. */
const MAX_SAFE_LENGTH = 15;
const NUMBER = /[-+.\deE]*/y;

/** Up to this number of members, an array is faster than a set. */
const FEW_NAMES = 16;

/** Names of the members that were found in an object. */
interface Names {
  readonly few: string[];
  /** All names, once there are more than `FEW_NAMES`. */
  all: Set<string> | undefined;
}

/** An array or object whose end the scan has not reached. */
interface Open {
  readonly names: Names | undefined;
  /** Name of the current member, or index of the current item. */
  at: string | number;
}

/** Throws the first problem that `JSON.parse` does not report. Does not check the syntax. */
function scanJson(text: string): void {
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
function endOfString(text: string, start: number): number {
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

/** Parses an object from JSON that we wrote. Throws `SyntaxError`. */
export function parseOwnObject(text: string): JsonObject {
  return parseUnchecked(text) as JsonObject;
}

/**
 * Parses an object, for example from a file of keys, without the checks of `parseJson`. Returns undefined for other
 * texts: an error of V8 would quote the text, which may be a secret.
 */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value = parseUnchecked(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type JsonProblem = 'MALFORMED' | 'DUPLICATE_MEMBER' | 'FORBIDDEN_NAME' | 'NUMBER_OUT_OF_RANGE' | 'TOO_DEEP';

/** Rejected JSON. `path` is the JSON pointer (RFC 6901) of the problem; empty if the text is not JSON. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly problem: JsonProblem;
  readonly path: string;
  /** Index of the character at which the text stops to be JSON. Undefined for other problems. */
  readonly index: number | undefined;

  constructor(problem: JsonProblem, path: string, index?: number) {
    // Messages are logged, so they must not contain the path: it has names that the client chose.
    super(problem);
    this.problem = problem;
    this.path = path;
    this.index = index;
  }
}

const COLON = /\s*:/y;
/** Prefix of substitute names. It is random, so no client can send such a name. */
const PREFIX = randomUUID();

/**
 * `JSON.parse` without a defect of V8 13.6 and 14.6 (https://github.com/nodejs/node/issues/63785), which confuses names
 * that contain escapes: after `{"caf\\": 1}`, the name in `{"caf\u00e9": 1}` may be read as the first one.
 *
 * Accepts everything that `JSON.parse` accepts, such as duplicate members. For bodies of clients, use `parseJson`.
 * Throws `SyntaxError` with a quote of the text, or `RangeError` if the nesting is too deep.
 */
export function parseUnchecked(text: string): JsonValue {
  if (!text.includes('\\')) return JSON.parse(text);
  const { rewritten, hasSubstitutes } = withoutEscapedNames(text);
  const value: JsonValue = JSON.parse(rewritten);
  return hasSubstitutes ? renamed(value) : value;
}

/** Rewrites names of members without escapes. Names that need an escape become substitutes. */
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
        // Parsed as a value, the name is correct: V8's defect affects only names of members.
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
