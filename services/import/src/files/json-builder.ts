import type { JsonValue } from '@bufbuild/protobuf';
import TokenType from '@streamparser/json/utils/types/tokenType.js';
import { JsonError } from '@survey/runtime/json/json-error';
import { toPointerToken } from '@survey/runtime/json/pointer';

/** How many arrays and objects may be in each other: as many as in the body of a request. */
const MAX_DEPTH = 64;
/** What an array or object takes in memory, in characters; an empty one has two in the file. */
const CONTAINER_SIZE = 32;
/** Members of one object that is read over. */
const MAX_MEMBERS = 100_000;

/** A token of JSON. */
interface JsonToken {
  readonly token: number;
  readonly value: string | number | boolean | null;
}

interface Options {
  /** Where the array is that is treated apart. */
  readonly place: readonly string[];
  /** Whether the items of that array are built, and nothing else, or everything but them. */
  readonly build: 'items' | 'rest';
  /** Called with each item of the array that was built. */
  readonly onItem: (index: number, value: JsonValue) => void;
}

/** An array or object that is not closed yet. */
interface Open {
  readonly kind: 'array' | 'object';
  /** What is built; an object that is read over has its names in it. */
  readonly built: Record<string, JsonValue> | JsonValue[];
  readonly isBuilt: boolean;
  /** Whether the way to it is the beginning of the place, or all of it. */
  readonly isOnWay: boolean;
  /** The name of a member, or the position of an item. */
  at: string | number;
  members: number;
  /** Characters of the names of one that is read over. */
  nameSize: number;
}

type Next = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

/**
 * Builds values from tokens of JSON, as strictly as `parseJson`: what is built of a file can be bounded, for all else is
 * looked through only.
 */
export function createJsonBuilder({ place, build, onItem }: Options) {
  const open: Open[] = [];
  let next: Next = 'value';
  let root: JsonValue | undefined;
  /** Of what is built at the moment, in characters; and how many values that is. */
  let size = 0;
  let values = 0;
  /** Of the names that are remembered of what is read over, in characters. */
  let nameSize = 0;

  /** Where it is: a JSON pointer. */
  const path = () =>
    open.map(({ kind, at, members }) => (kind === 'object' && members === 0 ? '' : toPointerToken(at))).join('');
  const fail = (problem: JsonError['problem']) => new JsonError(problem, path());

  /** Whether the value that begins now is an item of the array that is treated apart. */
  function isItem(parent: Open | undefined): boolean {
    return parent?.kind === 'array' && parent.isOnWay && open.length === place.length + 1;
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

  function begin(kind: Open['kind']): void {
    if (open.length === MAX_DEPTH) throw fail('TOO_DEEP');
    const parent = open.at(-1);
    const isBuilt = isToBeBuilt();
    if (isBuilt) count(CONTAINER_SIZE);
    open.push({
      kind,
      built: kind === 'object' ? {} : [],
      isBuilt,
      isOnWay: parent === undefined || (parent.isOnWay && parent.at === place[open.length - 1]),
      at: kind === 'object' ? '' : 0,
      members: 0,
      nameSize: 0,
    });
    next = kind === 'object' ? 'name or end' : 'value or end';
  }

  function close(kind: Open['kind']): void {
    const ended = open.at(-1);
    if (ended?.kind !== kind || !next.endsWith('or end')) throw fail('MALFORMED');
    open.pop();
    nameSize -= ended.nameSize;
    finish(ended.built, ended.isBuilt);
  }

  /** A value is complete. */
  function finish(value: JsonValue, isBuilt: boolean): void {
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
    if (!owner.isBuilt && owner.members > MAX_MEMBERS) throw fail('MALFORMED');
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
    finish(value, isBuilt);
  }

  function separate(): void {
    const owner = open.at(-1);
    if (next !== 'comma or end' || owner === undefined) throw fail('MALFORMED');
    if (typeof owner.at === 'number') owner.at += 1;
    next = owner.kind === 'object' ? 'name' : 'value';
  }

  return {
    /** Throws `JsonError`. */
    push({ token, value }: JsonToken): void {
      switch (token) {
        case TokenType.LEFT_BRACE:
        case TokenType.LEFT_BRACKET:
          if (!next.startsWith('value')) throw fail('MALFORMED');
          begin(token === TokenType.LEFT_BRACE ? 'object' : 'array');
          break;
        case TokenType.RIGHT_BRACE:
          close('object');
          break;
        case TokenType.RIGHT_BRACKET:
          close('array');
          break;
        case TokenType.COLON:
          if (next !== 'colon') throw fail('MALFORMED');
          next = 'value';
          break;
        case TokenType.COMMA:
          separate();
          break;
        default:
          if (typeof value === 'string' && next.startsWith('name')) takeName(value);
          else takeValue(value);
      }
    },

    /** Characters of what is built at the moment, and of the names around it, more or less. */
    size: () => size + nameSize,

    /** Values that are built at the moment. */
    values: () => values,

    /** Whether the value that comes next, or goes on, is built. */
    isBuilding: isToBeBuilt,

    path,

    /** The value of the whole. Throws `JsonError` when it has not come to its end. */
    end(): JsonValue {
      if (next !== 'nothing' || root === undefined) throw fail('MALFORMED');
      return root;
    },
  };
}
