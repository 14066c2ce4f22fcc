import { AppError } from '@survey/runtime/errors/app-error';
import { createTextDecoder } from './json-text.ts';

/** A body of JSON, taken apart while it arrives. */
export interface SplitEnvelope {
  /** The bytes of the member with the file: its JSON, or the text that it is. To be read to its end first. */
  readonly file: AsyncIterable<Uint8Array>;
  /** What the member is; `none` when it is not there, or no array, object or text. */
  kind(): 'json' | 'text' | 'none';
  /** The JSON of the object, with true in place of the member that was taken out. */
  rest(): Uint8Array;
}

/** No part of another value: what stands right before or after it makes it no JSON. */
const PLACEHOLDER = Buffer.from('true');
/** Of all that is beside the file. */
const MAX_REST = 1024 * 1024;

const [QUOTE, BACKSLASH, COLON, COMMA] = Buffer.from('"\\:,') as unknown as [number, number, number, number];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = Buffer.from('{}[]') as unknown as [
  number,
  number,
  number,
  number,
];

/**
 * Takes a member with a file out of an object of JSON, however long it is. It trusts the syntax: what it lets pass may
 * still be no JSON, which whoever reads the parts finds. Throws `INVALID_REQUEST` when the body ends in the member, or the
 * member is a text that is none, and `BODY_TOO_LARGE` when there is too much beside it.
 */
export function splitEnvelope(body: AsyncIterable<Uint8Array>, member: string): SplitEnvelope {
  const rest: Buffer[] = [];
  let restSize = 0;
  let kind: 'json' | 'text' | 'none' = 'none';
  const text = createTextDecoder();

  let depth = 0;
  let inString = false;
  let isEscaped = false;
  /** The literal of a name in the outer object, as far as it is read; undefined where there is none. */
  let name: number[] | undefined;
  let last = '';
  /** Where a value of the outer object begins next, and a name. */
  let isValueNext = false;
  let isNameNext = false;
  let taking: 'nothing' | 'json' | 'text' = 'nothing';

  function keep(bytes: Uint8Array): void {
    restSize += bytes.length;
    if (restSize > MAX_REST)
      throw new AppError('BODY_TOO_LARGE', { detail: `Beside the file there are more than ${MAX_REST} bytes` });
    // A copy: what it is a part of may be long.
    rest.push(Buffer.from(bytes));
  }

  /** Whether the byte is a part of a string, or ends it. */
  function isInString(byte: number): boolean {
    if (!inString) return false;
    name?.push(byte);
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) endString();
    return true;
  }

  function endString(): void {
    inString = false;
    if (name === undefined) return;
    last = nameOf(Buffer.from(name));
    name = undefined;
  }

  /** Follows a byte outside of the file. */
  function follow(byte: number): void {
    if (isInString(byte)) return;
    if (byte === QUOTE) {
      inString = true;
      if (depth === 1 && isNameNext) name = [byte];
      isNameNext = false;
      isValueNext = false;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      isNameNext = depth === 1 && byte === OPEN_OBJECT;
      isValueNext = false;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
    } else if (depth === 1 && byte === COLON) {
      isValueNext = true;
    } else if (depth === 1 && byte === COMMA) {
      isNameNext = true;
      isValueNext = false;
    }
  }

  function beginsFile(byte: number): boolean {
    return isValueNext && last === member && (byte === QUOTE || byte === OPEN_OBJECT || byte === OPEN_ARRAY);
  }

  /** Position after the end of the file in these bytes, or of the bytes when it goes on. */
  function endOfFile(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at += 1) {
      // Within the bounds of the array.
      const byte = bytes[at] as number;
      const wasInString = inString;
      if (isInString(byte)) {
        if (taking === 'text' && !inString) return at + 1;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
      if (!wasInString && !inString && depth === 1) return at + 1;
    }
    return bytes.length;
  }

  function* take(bytes: Uint8Array): Generator<Uint8Array> {
    let kept = 0;
    let at = 0;
    while (at < bytes.length) {
      const byte = bytes[at] as number; // within the bounds of the array
      if (!beginsFile(byte)) {
        follow(byte);
        at += 1;
        continue;
      }
      keep(bytes.subarray(kept, at));
      keep(PLACEHOLDER);
      const from = byte === QUOTE ? at + 1 : at;
      taking = byte === QUOTE ? 'text' : 'json';
      kind = taking;
      isValueNext = false;
      inString = taking === 'text';
      if (taking === 'json') depth += 1;
      at = yield* takeFile(bytes, from, from + (taking === 'json' ? 1 : 0));
      kept = at;
    }
    keep(bytes.subarray(kept));
  }

  /** Gives what belongs to the file, and the position after it. */
  function* takeFile(bytes: Uint8Array, from: number, follows: number): Generator<Uint8Array, number> {
    const end = endOfFile(bytes, follows);
    const isOver = taking === 'text' ? !inString : depth === 1;
    if (taking === 'json') yield bytes.subarray(from, end);
    else yield* text.decode(bytes.subarray(from, isOver ? end - 1 : end), isOver);
    if (isOver) taking = 'nothing';
    return end;
  }

  async function* split(): AsyncGenerator<Uint8Array> {
    for await (const bytes of body) {
      const end = taking === 'nothing' ? 0 : yield* takeFile(bytes, 0, 0);
      // Nothing is left of them where the file goes on.
      yield* take(bytes.subarray(end));
    }
    if (taking !== 'nothing') throw new AppError('INVALID_REQUEST', { detail: 'The body ends before the file in it' });
  }

  return { file: split(), kind: () => kind, rest: () => Buffer.concat(rest) };
}

function nameOf(literal: Uint8Array): string {
  try {
    return String(JSON.parse(Buffer.from(literal).toString()));
  } catch {
    // What is left of the object is read strictly.
    return '';
  }
}
