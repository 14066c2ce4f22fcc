import { StringDecoder } from 'node:string_decoder';
import { createJsonScanner, findLoneSurrogate } from '@survey/formats/files/json-builder';

import { AppError } from '@survey/runtime/errors/app-error';
import { JsonError, parseJson } from '@survey/runtime/json/parse-json';
import { notJsonError, positionAfter, type TextPosition } from '@survey/runtime/rest/request-body';

/** A JSON body that is split while it arrives. Call `kind` and `rest` only after `file` was read to its end. */
export interface SplitBody {
  /** The bytes of the member with the file: its JSON, or its decoded text. */
  readonly file: AsyncIterable<Uint8Array>;
  /** The type of the member; `none` when it is missing, or neither array, object nor text. */
  kind(): 'json' | 'text' | 'none';
  /** The JSON of the body, with `true` instead of the file. */
  rest(): Uint8Array;
  /** Returns a position in the body. @param before all characters of the rest before this position */
  toPosition(before: string): TextPosition;
}

/** Replaces the file in the rest. With `0`, an invalid body could become valid: `1[0]` would become `10`. */
const PLACEHOLDER = Buffer.from('true');
/** Maximum bytes of all other members together. */
const MAX_REST = 1024 * 1024;

/**
 * Extracts the member with the file from a JSON object of any length (ADR 0060). Does not validate JSON: the parsers of
 * `file` and `rest` do that. Throws `INVALID_REQUEST` if the body ends within the member or its text is invalid, and
 * `BODY_TOO_LARGE` if the other members are too large.
 */
export function splitBody(body: AsyncIterable<Uint8Array>, member: string): SplitBody {
  const rest: Buffer[] = [];
  let restSize = 0;
  let kind: 'json' | 'text' | 'none' = 'none';
  const fileText = createJsonStringDecoder();
  /** The position in the body after the counted characters. */
  let countedPosition = positionAfter('');
  const utf8 = new StringDecoder();
  /** Number of counted bytes of the chunk. */
  let countedUntil = 0;
  /** The position after the file, and the size of the rest before the file's end. */
  let fileEnd: { readonly position: TextPosition; readonly restSize: number } | undefined;

  /** Open arrays and objects, the outer object included. */
  let depth = 0;
  /** The last member name of the outer object, as JSON without quotes. */
  let name = '';
  let isInName = false;
  /** The token that comes next in the outer object. */
  let next: 'name' | 'value' | 'other' = 'other';
  /** The part of the body to which the current position belongs. */
  let taking: 'rest' | 'json' | 'text' = 'rest';

  let chunk: Buffer = Buffer.of();
  /** Bytes of the chunk before this position were already added to the rest or to the file. */
  let doneUntil = 0;
  /** The parts of the file that are in the chunk. */
  let fileParts: Uint8Array[] = [];

  function countTo(to: number): TextPosition {
    countedPosition = positionAfter(utf8.write(chunk.subarray(countedUntil, to)), countedPosition);
    countedUntil = to;
    return countedPosition;
  }

  function addToRest(bytes: Uint8Array): void {
    restSize += bytes.length;
    if (restSize > MAX_REST)
      throw new AppError('BODY_TOO_LARGE', { detail: `The body has more than ${MAX_REST} bytes besides the file` });
    // Copy the bytes, so that the whole chunk can be freed.
    rest.push(Buffer.from(bytes));
  }

  function isFileNext(): boolean {
    return next === 'value' && nameOf(name) === member;
  }

  /** @param at position of the opening bracket or quote */
  function beginFile(type: 'json' | 'text', at: number): void {
    addToRest(chunk.subarray(doneUntil, at));
    addToRest(PLACEHOLDER);
    doneUntil = at;
    kind = type;
    taking = type;
    next = 'other';
  }

  /** Adds the bytes of a JSON file up to a position. */
  function takeJson(to: number): void {
    fileParts.push(chunk.subarray(doneUntil, to));
    doneUntil = to;
  }

  function takeString(from: number, to: number, isLast: boolean): void {
    // The opening quote is in this chunk, at `from - 1`: the scanner reports a string first in the chunk of its quote.
    if (taking === 'rest' && !isInName && isFileNext()) beginFile('text', from - 1);
    if (taking === 'text') {
      try {
        fileParts.push(...fileText.decode(chunk.subarray(from, to), isLast));
      } catch (cause) {
        if (!(cause instanceof JsonError)) throw cause;
        const { line, column } = countTo(from);
        throw notJsonError({ line, column: column + (cause.index ?? 0) }, cause);
      }
      if (!isLast) return;
      taking = 'rest';
      doneUntil = to + 1;
      fileEnd = { position: countTo(doneUntil), restSize };
    } else if (taking === 'rest') {
      if (depth === 1 && next === 'name') [name, isInName] = ['', true];
      next = 'other';
      if (isInName) name += chunk.toString('latin1', from, to);
      if (isLast) isInName = false;
    }
  }

  function takePunctuation(character: string, at: number): void {
    if (character === '{' || character === '[') {
      if (taking === 'rest' && isFileNext()) beginFile('json', at);
      depth += 1;
      next = depth === 1 && character === '{' ? 'name' : 'other';
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (taking !== 'json' || depth > 1) return;
      takeJson(at + 1);
      taking = 'rest';
      fileEnd = { position: countTo(doneUntil), restSize };
    } else if (depth === 1) {
      next = character === ',' ? 'name' : 'value';
    }
  }

  const scan = createJsonScanner((kindOfRun, characters, from, to, isLast) => {
    if (kindOfRun === 'string') takeString(from, to, isLast);
    else if (kindOfRun === 'punctuation') takePunctuation(characters[from] as string, from);
  });

  async function* split(): AsyncGenerator<Uint8Array> {
    for await (const bytes of body) {
      chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      [doneUntil, countedUntil, fileParts] = [0, 0, []];
      // One character for each byte. In UTF-8, the bytes of JSON signs occur in no other character.
      scan(chunk.toString('latin1'));
      if (taking === 'json') takeJson(chunk.length);
      else if (taking === 'rest') addToRest(chunk.subarray(doneUntil));
      countTo(chunk.length);
      yield* fileParts;
    }
    if (taking !== 'rest') throw new AppError('INVALID_REQUEST', { detail: 'The body ends inside the file' });
  }

  return {
    file: split(),
    kind: () => kind,
    rest: () => Buffer.concat(rest),
    toPosition(before) {
      const bytes = Buffer.from(before);
      if (fileEnd === undefined || bytes.length < fileEnd.restSize) return positionAfter(before);
      return positionAfter(bytes.subarray(fileEnd.restSize).toString(), fileEnd.position);
    },
  };
}

/** @param bytes the raw name, one character for each byte (latin1) */
function nameOf(bytes: string): string {
  try {
    return String(JSON.parse(`"${Buffer.from(bytes, 'latin1').toString()}"`));
  } catch {
    // The parser of the rest reports the error.
    return '';
  }
}

/** A surrogate pair, a single escape, or unescaped text. */
const PART = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\[^u]|[^\\]+/y;
const HIGH_SURROGATE = /^\\u[dD][89abAB]/;
/** Length of an escaped surrogate pair. */
const MAX_ESCAPE_LENGTH = 12;

/** Decodes the content of a JSON string (RFC 8259, section 7) chunk by chunk. */
function createJsonStringDecoder() {
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
    /**
     * Decodes a chunk to UTF-8. An incomplete escape at its end is kept for the next chunk. Throws `JsonError` if the
     * string is invalid, with an index in the characters of the chunk, and `INVALID_REQUEST` if it is not UTF-8.
     */
    decode(bytes: Uint8Array, isLast: boolean): readonly Uint8Array[] {
      let added: string;
      try {
        added = utf8.decode(bytes, { stream: !isLast });
      } catch (cause) {
        throw new AppError('INVALID_REQUEST', { detail: 'The body is not UTF-8', cause });
      }
      const [text, before] = [carried + added, carried.length];
      const end = isLast ? text.length : completeLength(text);
      carried = text.slice(end);
      const decoded = carried.length > MAX_ESCAPE_LENGTH ? undefined : decodeString(text.slice(0, end));
      if (decoded === undefined) throw new JsonError('MALFORMED', '', Math.max(0, findInvalid(text) - before));
      return decoded === '' ? [] : [Buffer.from(decoded)];
    },
  };
}

/** Returns undefined if the content of a JSON string is invalid, or has half a surrogate pair. */
function decodeString(text: string): string | undefined {
  try {
    const decoded: unknown = JSON.parse(`"${text}"`);
    return typeof decoded === 'string' && decoded.isWellFormed() ? decoded : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the index of the first character that makes the content of a JSON string invalid. */
function findInvalid(text: string): number {
  const lone = findLoneSurrogate(text) ?? text.length;
  try {
    parseJson(`"${text}"`);
    return lone;
  } catch (error) {
    // Subtract the opening quote.
    return Math.min(lone, ((error instanceof JsonError ? error.index : undefined) ?? 1) - 1);
  }
}
