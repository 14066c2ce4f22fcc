import { AppError } from '@survey/runtime/errors/app-error';

/** A JSON body that is split while it arrives. Read `file` to its end first. */
export interface SplitEnvelope {
  /** The bytes of the member with the file: its JSON, or its decoded text. */
  readonly file: AsyncIterable<Uint8Array>;
  /** The type of the member; `none` when it is missing, or neither array, object nor text. */
  kind(): 'json' | 'text' | 'none';
  /** The JSON of the object, with true in place of the extracted member. */
  rest(): Uint8Array;
}

/** A value that cannot merge with its neighbours: `1true` stays invalid. */
const PLACEHOLDER = Buffer.from('true');
/** Maximum bytes of all other members together. */
const MAX_REST = 1024 * 1024;

const [QUOTE, BACKSLASH, COLON, COMMA] = Buffer.from('"\\:,') as unknown as [number, number, number, number];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = Buffer.from('{}[]') as unknown as [
  number,
  number,
  number,
  number,
];

/**
 * Extracts the member with the file from a JSON object of any length (ADR 0060). Only finds the end of the member: the
 * readers of both parts detect invalid JSON. Throws `INVALID_REQUEST` if the body ends within the member or its text
 * is invalid, and `BODY_TOO_LARGE` if the other members are too large.
 */
export function splitEnvelope(body: AsyncIterable<Uint8Array>, member: string): SplitEnvelope {
  const rest: Buffer[] = [];
  let restSize = 0;
  let kind: 'json' | 'text' | 'none' = 'none';
  const text = createJsonStringDecoder();

  let depth = 0;
  let inString = false;
  let isEscaped = false;
  /** The bytes read of a member name in the outer object; undefined outside of a name. */
  let name: number[] | undefined;
  /** The last member name of the outer object. */
  let lastName = '';
  /** Whether the next token of the outer object is a value, or a name. */
  let isValueNext = false;
  let isNameNext = false;
  /** The part of the body at the current position. */
  let taking: 'nothing' | 'json' | 'text' = 'nothing';

  function addToRest(bytes: Uint8Array): void {
    restSize += bytes.length;
    if (restSize > MAX_REST)
      throw new AppError('BODY_TOO_LARGE', { detail: `The body has more than ${MAX_REST} bytes besides the file` });
    // A copy, so that the whole chunk can be freed.
    rest.push(Buffer.from(bytes));
  }

  /** Handles a byte of a string, including its closing quote. Returns false outside of strings. */
  function handleInString(byte: number): boolean {
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
    lastName = nameOf(Buffer.from(name));
    name = undefined;
  }

  /** Updates the parser state for a byte outside of the file. */
  function parseByte(byte: number): void {
    if (handleInString(byte)) return;
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
    return isValueNext && lastName === member && (byte === QUOTE || byte === OPEN_OBJECT || byte === OPEN_ARRAY);
  }

  /** Position after the end of the file, or the number of bytes if it continues. */
  function endOfFile(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at += 1) {
      // Within the bounds of the array.
      const byte = bytes[at] as number;
      const wasInString = inString;
      if (handleInString(byte)) {
        if (taking === 'text' && !inString) return at + 1;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
      if (!wasInString && !inString && depth === 1) return at + 1;
    }
    return bytes.length;
  }

  /** Parses bytes outside of the file, and yields the bytes of files that begin in them. */
  function* splitChunk(bytes: Uint8Array): Generator<Uint8Array> {
    /** Number of bytes before `at` that are already in the rest or the file. */
    let done = 0;
    let at = 0;
    while (at < bytes.length) {
      const byte = bytes[at] as number; // within the bounds of the array
      if (!beginsFile(byte)) {
        parseByte(byte);
        at += 1;
        continue;
      }
      addToRest(bytes.subarray(done, at));
      addToRest(PLACEHOLDER);
      const from = byte === QUOTE ? at + 1 : at;
      taking = byte === QUOTE ? 'text' : 'json';
      kind = taking;
      isValueNext = false;
      inString = taking === 'text';
      if (taking === 'json') depth += 1;
      // The opening bracket of a JSON file is already counted in `depth`.
      at = yield* extractFile(bytes, from, from + (taking === 'json' ? 1 : 0));
      done = at;
    }
    addToRest(bytes.subarray(done));
  }

  /**
   * Yields the bytes of the file, and returns the position after them.
   *
   * @param from position of the first byte of the file
   * @param unparsedFrom position of the first byte that the parser state does not include
   */
  function* extractFile(bytes: Uint8Array, from: number, unparsedFrom: number): Generator<Uint8Array, number> {
    const end = endOfFile(bytes, unparsedFrom);
    const isOver = taking === 'text' ? !inString : depth === 1;
    if (taking === 'json') yield bytes.subarray(from, end);
    else yield* text.decode(bytes.subarray(from, isOver ? end - 1 : end), isOver);
    if (isOver) taking = 'nothing';
    return end;
  }

  async function* split(): AsyncGenerator<Uint8Array> {
    for await (const bytes of body) {
      const end = taking === 'nothing' ? 0 : yield* extractFile(bytes, 0, 0);
      // Empty if the file continues in the next chunk.
      yield* splitChunk(bytes.subarray(end));
    }
    if (taking !== 'nothing') throw new AppError('INVALID_REQUEST', { detail: 'The body ends inside the file' });
  }

  return { file: split(), kind: () => kind, rest: () => Buffer.concat(rest) };
}

function nameOf(literal: Uint8Array): string {
  try {
    return String(JSON.parse(Buffer.from(literal).toString()));
  } catch {
    // A strict parser reads the rest, and reports the error.
    return '';
  }
}

/** Decodes the content of a JSON string (RFC 8259, section 7) chunk by chunk. */
interface JsonStringDecoder {
  /** Decodes a chunk to UTF-8. An incomplete escape at its end is kept for the next chunk. */
  decode(bytes: Uint8Array, isLast: boolean): readonly Uint8Array[];
}

/** A surrogate pair, a single escape, or unescaped text. */
const PART = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\[^u]|[^\\]+/y;
const HIGH_SURROGATE = /^\\u[dD][89abAB]/;
/** Length of an escaped surrogate pair. */
const MAX_ESCAPE_LENGTH = 12;

/** The decoder throws `INVALID_REQUEST` for an invalid JSON string. */
function createJsonStringDecoder(): JsonStringDecoder {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let carried = '';

  /** Length of the prefix that has only complete escapes. */
  function completeLength(text: string): number {
    PART.lastIndex = 0;
    for (let end = 0; ; ) {
      const match = PART.exec(text);
      if (match === null) return end;
      const isHighSurrogate = match[0].length < MAX_ESCAPE_LENGTH && HIGH_SURROGATE.test(match[0]);
      if (isHighSurrogate && text.length - end < MAX_ESCAPE_LENGTH) return end;
      end = PART.lastIndex;
    }
  }

  return {
    decode(bytes, isLast) {
      try {
        const text = carried + utf8.decode(bytes, { stream: !isLast });
        const end = isLast ? text.length : completeLength(text);
        carried = text.slice(end);
        if (carried.length > MAX_ESCAPE_LENGTH) throw new SyntaxError('invalid escape');
        const decoded: unknown = JSON.parse(`"${text.slice(0, end)}"`);
        if (typeof decoded !== 'string' || !decoded.isWellFormed()) throw new SyntaxError('invalid text');
        return decoded === '' ? [] : [Buffer.from(decoded)];
      } catch (cause) {
        throw new AppError('INVALID_REQUEST', { detail: 'The body is not JSON in UTF-8', cause });
      }
    },
  };
}
