import type { JsonValue } from '@bufbuild/protobuf';
import { JsonError } from '@survey/runtime/json/parse-json';
import { toPointerToken } from '@survey/runtime/json/pointer';
import { invalidImport } from './report.ts';

/** Maximum nesting, as for request bodies. */
const MAX_DEPTH = 64;
/** Estimated size of an array or object in memory, in characters. An empty one has only two in the file. */
const CONTAINER_SIZE = 32;
/** Maximum members of an object that is not built. */
const MAX_MEMBERS = 100_000;

export interface BuildOptions {
  /** Path of the array whose items are handled separately; undefined if there is none. */
  readonly location: readonly string[] | undefined;
  /** `items`: builds only the items of that array. `rest`: builds everything else. */
  readonly build: 'items' | 'rest';
  /** Receives the members of the object that contains the array, if they are no arrays or objects. */
  readonly onSibling?: ((name: string, value: JsonValue) => void) | undefined;
}

interface OpenContainer {
  readonly kind: 'array' | 'object';
  /** The value so far. For an object that is not built, only its member names, to find duplicates. */
  readonly built: Record<string, JsonValue> | JsonValue[];
  readonly isBuilt: boolean;
  /** Whether the path to this container is a prefix of `location`. */
  readonly isOnPath: boolean;
  /** Current member name or item index. */
  at: string | number;
  members: number;
  /** Characters of the member names, if the object is not built. */
  nameSize: number;
}

type Next = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

/** The error for a value with more than about `limit`, such as `500 members`. */
export function tooLarge(path: string, limit: string): Error {
  const detail = `The value has more than about ${limit}, the limit`;
  return invalidImport([{ path, code: 'TOO_LARGE', detail }]);
}

/**
 * Builds values from JSON text, as strictly as `parseJson`. Only the requested part of a file is kept in memory.
 *
 * @param onItem receives the items with `build: 'items'`
 */
export function createJsonBuilder(
  { location, build, onSibling }: BuildOptions,
  onItem: (index: number, value: JsonValue) => void,
) {
  const open: OpenContainer[] = [];
  let next: Next = 'value';
  let root: JsonValue | undefined;
  /** Size of the value under construction: characters and number of values. */
  let size = 0;
  let values = 0;
  /** Characters of the member names of open objects that are not built. */
  let nameSize = 0;
  /** The characters so far of a string or scalar (a number, true, false or null). */
  let pending = '';
  let pendingKind: 'string' | 'scalar' | 'none' = 'none';
  /** Start of the last run in the current piece of the text. */
  let offset = 0;

  /** JSON pointer to the current position. */
  const path = () =>
    open.map(({ kind, at, members }) => (kind === 'object' && members === 0 ? '' : toPointerToken(at))).join('');
  const fail = (problem: JsonError['problem']) => new JsonError(problem, path());

  /** Whether the next value is an item of the array at `location`, or of an array on the way to it that is left out. */
  function isItem(parent: OpenContainer | undefined): boolean {
    if (parent?.kind !== 'array' || !parent.isOnPath || location === undefined) return false;
    return open.length - 1 === location.length || (build === 'rest' && open.length > 1);
  }

  function isToBeBuilt(): boolean {
    const parent = open.at(-1);
    if (parent === undefined) return build === 'rest';
    return isItem(parent) ? build === 'items' : parent.isBuilt;
  }

  function count(characters: number): void {
    size += characters;
    values += 1;
  }

  function begin(kind: OpenContainer['kind']): void {
    if (open.length === MAX_DEPTH) throw fail('TOO_DEEP');
    const parent = open.at(-1);
    const isBuilt = isToBeBuilt();
    if (isBuilt) count(CONTAINER_SIZE);
    open.push({
      kind,
      built: kind === 'object' ? {} : [],
      isBuilt,
      isOnPath: parent === undefined || (parent.isOnPath && parent.at === location?.[open.length - 1]),
      at: kind === 'object' ? '' : 0,
      members: 0,
      nameSize: 0,
    });
    next = kind === 'object' ? 'name or end' : 'value or end';
  }

  function close(kind: OpenContainer['kind']): void {
    const ended = open.at(-1);
    if (ended?.kind !== kind || !next.endsWith('or end')) throw fail('MALFORMED');
    open.pop();
    nameSize -= ended.nameSize;
    addToParent(ended.built, ended.isBuilt);
  }

  function addToParent(value: JsonValue, isBuilt: boolean): void {
    const parent = open.at(-1);
    next = parent === undefined ? 'nothing' : 'comma or end';
    if (parent === undefined) {
      root = value;
    } else if (isItem(parent) && build === 'items') {
      onItem(Number(parent.at), value);
      size = 0;
      values = 0;
    } else if (isBuilt) {
      if (Array.isArray(parent.built)) parent.built.push(value);
      else parent.built[String(parent.at)] = value;
    }
  }

  function takeName(name: string): void {
    const owner = open.at(-1);
    if (owner === undefined || Array.isArray(owner.built)) throw fail('MALFORMED');
    owner.at = name;
    owner.members += 1;
    if (name === '__proto__') throw fail('FORBIDDEN_NAME');
    if (Object.hasOwn(owner.built, name)) throw fail('DUPLICATE_MEMBER');
    if (!name.isWellFormed()) throw fail('MALFORMED');
    if (!owner.isBuilt && owner.members > MAX_MEMBERS) throw tooLarge(path(), `${MAX_MEMBERS} members`);
    owner.built[name] = null;
    if (owner.isBuilt) size += name.length;
    else {
      owner.nameSize += name.length;
      nameSize += name.length;
    }
    next = 'colon';
  }

  function takeValue(value: JsonValue): void {
    if (!next.startsWith('value')) throw fail('MALFORMED');
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) throw fail('NUMBER_OUT_OF_RANGE');
    if (typeof value === 'string' && !value.isWellFormed()) throw fail('MALFORMED');
    const isBuilt = isToBeBuilt();
    if (isBuilt) count(typeof value === 'string' ? value.length + 8 : 8);
    if (onSibling !== undefined && open.length === location?.length) {
      const parent = open.at(-1);
      if (parent?.kind === 'object' && parent.isOnPath) onSibling(String(parent.at), value);
    }
    addToParent(value, isBuilt);
  }

  function separate(): void {
    const owner = open.at(-1);
    if (next !== 'comma or end' || owner === undefined) throw fail('MALFORMED');
    if (typeof owner.at === 'number') owner.at += 1;
    next = owner.kind === 'object' ? 'name' : 'value';
  }

  function takePunctuation(character: string): void {
    switch (character) {
      case '{':
      case '[':
        if (!next.startsWith('value')) throw fail('MALFORMED');
        begin(character === '{' ? 'object' : 'array');
        break;
      case '}':
        close('object');
        break;
      case ']':
        close('array');
        break;
      case ':':
        if (next !== 'colon') throw fail('MALFORMED');
        next = 'value';
        break;
      case ',':
        separate();
        break;
    }
  }

  /** Takes a name or value that is a complete string, number, true, false or null. */
  function takeJson(json: string): void {
    let value: string | number | boolean | null;
    try {
      value = JSON.parse(json);
    } catch {
      throw fail('MALFORMED');
    }
    [pending, pendingKind] = ['', 'none'];
    if (typeof value === 'string' && next.startsWith('name')) takeName(value);
    else takeValue(value);
  }

  const write = createJsonScanner((kind, text, from, to, isLast) => {
    offset = from;
    if (pendingKind === 'scalar' && kind !== 'scalar') takeJson(pending);
    if (kind === 'string' || kind === 'scalar') {
      pendingKind = kind;
      pending += text.slice(from, to);
    }
    if (kind === 'string' && isLast) takeJson(`"${pending}"`);
    if (kind === 'punctuation') takePunctuation(text[from] as string);
  });

  return {
    /** Processes the next piece of the text. Throws `JsonError`, or `INVALID_IMPORT` for an object that is too large. */
    write,

    /** Approximate characters of the value under construction and of the member names around it. */
    size: () => size + nameSize + pending.length,

    values: () => values,

    /** Whether the current or next value is built. */
    isBuilding: isToBeBuilt,

    path,

    /** The position of the last run in the last piece of the text. */
    offset: () => offset,

    /** The value of the file, without the parts that are not built. Throws `JsonError` if the file ends too early. */
    end(): JsonValue {
      if (pendingKind === 'string') throw fail('MALFORMED');
      if (pendingKind === 'scalar') takeJson(pending);
      if (next !== 'nothing' || root === undefined) throw fail('MALFORMED');
      return root;
    },
  };
}

const REASONS: Record<Exclude<JsonError['problem'], 'MALFORMED'>, string> = {
  DUPLICATE_MEMBER: 'there are two members of this name',
  FORBIDDEN_NAME: 'this name is not allowed',
  NUMBER_OUT_OF_RANGE: 'the number is beyond ±(2^53 - 1), where numbers are not exact',
  TOO_DEEP: 'it is nested more than 64 levels deep',
};

/** The code and the reason of an error in a file, or in a line of it. */
export function describeJsonProblem(
  problem: JsonError['problem'],
  what: 'file' | 'line',
): { readonly code: string; readonly reason: string } {
  return problem === 'MALFORMED'
    ? { code: 'BAD_JSON', reason: `the ${what} is not valid JSON` }
    : { code: problem, reason: REASONS[problem] };
}

/** An escaped surrogate pair, another `\uXXXX`, or an escape such as `\n`. */
const ESCAPE = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|.)/g;
const LONE_SURROGATE = /^\\u[dD][89a-fA-F]..$/;

/** The index of an escaped surrogate without its other half in JSON: UTF-8 cannot encode it. */
export function findLoneSurrogate(json: string): number | undefined {
  return json.matchAll(ESCAPE).find(([text]) => LONE_SURROGATE.test(text))?.index;
}

/**
 * A run of characters in JSON text. `scalar`: a number, true, false or null. `string`: its characters without quotes,
 * and with escapes. `punctuation`: one of `{}[]:,`.
 */
type RunKind = 'punctuation' | 'string' | 'scalar' | 'space';

/**
 * Receives the range of a run in the text. A run can continue in the next piece of text: `isLast` is false for a string
 * that does, and true for all other runs. A scalar ends where a run of another kind begins.
 */
type OnRun = (kind: RunKind, text: string, from: number, to: number, isLast: boolean) => void;

const PUNCTUATION = '{}[]:,';
const SPACE = /[ \t\n\r]+/y;
const SCALAR = /[^ \t\n\r{}[\]:,"]+/y;

/**
 * Creates a function that splits JSON text into runs, piece by piece, in constant memory. It checks nothing: the order
 * of runs and the characters of scalars and strings are up to `onRun`.
 */
export function createJsonScanner(onRun: OnRun): (text: string) => void {
  let isInString = false;
  /** Whether the last piece ended after a backslash of a string, so that the next character is escaped. */
  let isEscaped = false;

  /** The position of the closing quote, or the length of the text if the string continues in the next piece. */
  function findStringEnd(text: string, from: number): number {
    let at = isEscaped ? from + 1 : from;
    for (;;) {
      const quote = text.indexOf('"', at);
      const end = quote < 0 ? text.length : quote;
      let backslashes = 0;
      while (end - backslashes > at && text[end - backslashes - 1] === '\\') backslashes += 1;
      isEscaped = backslashes % 2 === 1;
      if (!isEscaped || quote < 0) return end;
      at = quote + 1;
    }
  }

  /** Returns the position after the string, or after this part of it. */
  function readString(text: string, from: number): number {
    const end = findStringEnd(text, from);
    isInString = end === text.length;
    onRun('string', text, from, end, !isInString);
    return end + 1;
  }

  return (text) => {
    if (text === '') return;
    let at = isInString ? readString(text, 0) : 0;
    while (at < text.length) {
      const character = text[at] as string; // within the bounds of the text
      if (character === '"') {
        at = readString(text, at + 1);
        continue;
      }
      const isPunctuation = PUNCTUATION.includes(character);
      const kind = isPunctuation ? 'punctuation' : ' \t\n\r'.includes(character) ? 'space' : 'scalar';
      let end = at + 1;
      if (!isPunctuation) {
        const pattern = kind === 'space' ? SPACE : SCALAR;
        pattern.lastIndex = at;
        pattern.test(text);
        end = pattern.lastIndex;
      }
      onRun(kind, text, at, end, true);
      at = end;
    }
  };
}
