import { createRequire } from 'node:module';

/** The used members of kafkajs's encoder: a buffer, and the number of bytes in it. */
interface Encoder {
  readonly buf: Buffer;
  readonly offset: number;
}

type EncodeRecord = (record: RecordFields) => Encoder;

const FOLDER = 'kafkajs/src/protocol';
const PATCHED = Symbol.for('survey.kafkajs.record-patch');
/** Code of the slow function. It allocates encoders of 512 zeroed bytes, more for each header. */
const FAULT = '.writeVarIntArray(headersArray.map(Header))';

/**
 * Replaces the slow record encoder of kafkajs 2.2.4. The original allocates buffers of 512 bytes for each message and
 * header, which takes most of the time of sending a message.
 *
 * Throws if kafkajs has changed, or has already loaded the modules for sending.
 */
export function patchRecords(): void {
  const require = createRequire(import.meta.url);
  const path = require.resolve(`${FOLDER}/recordBatch/record/v0/index.js`);
  // kafkajs has no types for these files; the used members are checked.
  const original = require(path) as EncodeRecord;
  if (Object.hasOwn(original, PATCHED)) return;
  const { prototype } = require(`${FOLDER}/encoder.js`) as { readonly prototype: object };
  const isLoaded = require.cache[require.resolve(`${FOLDER}/requests/produce/v3/request.js`)] !== undefined;
  const module = require.cache[path];
  if (module === undefined || isLoaded || !original.toString().includes(FAULT)) {
    throw new Error('kafkajs has changed: see whether its records still need the patch of record-patch.ts');
  }
  const encode: EncodeRecord = (record) => {
    const buf = encodeRecord(record);
    return Object.assign(Object.create(prototype) as object, { buf, offset: buf.length });
  };
  module.exports = Object.defineProperty(encode, PATCHED, { value: true });
}

type Data = string | Buffer;

/** A message in the form that kafkajs's encoder gets. */
export interface RecordFields {
  /** Position in the batch. */
  readonly offsetDelta?: number;
  /** Milliseconds since the first message of the batch. */
  readonly timestampDelta?: number;
  readonly key?: Data | null;
  readonly value?: Data | null;
  /** With an array, the header occurs once for each value. */
  readonly headers?: Readonly<Record<string, Data | readonly Data[]>>;
}

/** Kafka defines no attributes of records yet. */
const ATTRIBUTES = 0;
const NO_DATA = -1;

/**
 * Encodes a record of Kafka's format 2 (https://kafka.apache.org/documentation/#record) into a buffer of its exact
 * size.
 */
export function encodeRecord({ offsetDelta = 0, timestampDelta = 0, key, value, headers = {} }: RecordFields): Buffer {
  const pairs = pairsOf(headers);
  let size = 1 + sizeOfVarint(timestampDelta) + sizeOfVarint(offsetDelta) + sizeOfData(key) + sizeOfData(value);
  size += sizeOfVarint(pairs.length);
  for (const [name, data] of pairs) size += sizeOfData(name) + sizeOfData(data);

  const record = Buffer.allocUnsafe(sizeOfVarint(size) + size);
  let offset = writeVarint(record, 0, size);
  offset = record.writeInt8(ATTRIBUTES, offset);
  offset = writeVarint(record, offset, timestampDelta);
  offset = writeVarint(record, offset, offsetDelta);
  offset = writeData(record, offset, key);
  offset = writeData(record, offset, value);
  offset = writeVarint(record, offset, pairs.length);
  for (const [name, data] of pairs) offset = writeData(record, writeData(record, offset, name), data);
  return record;
}

function pairsOf(headers: NonNullable<RecordFields['headers']>): readonly (readonly [name: string, data: Data])[] {
  const pairs: (readonly [string, Data])[] = [];
  for (const [name, data] of Object.entries(headers)) {
    if (typeof data === 'string' || Buffer.isBuffer(data)) pairs.push([name, data]);
    else for (const one of data) pairs.push([name, one]);
  }
  return pairs;
}

function lengthOf(data: Data | null | undefined): number {
  return data == null ? NO_DATA : Buffer.byteLength(data);
}

function sizeOfData(data: Data | null | undefined): number {
  const length = lengthOf(data);
  return sizeOfVarint(length) + Math.max(0, length);
}

/** Writes data at `start`, and returns the position after it. */
function writeData(record: Buffer, start: number, data: Data | null | undefined): number {
  const offset = writeVarint(record, start, lengthOf(data));
  if (data == null) return offset;
  return offset + (typeof data === 'string' ? record.write(data, offset) : data.copy(record, offset));
}

/** Size of a signed number in the encoding of protobuf's `sint64`: zigzag, then seven bits per byte. */
function sizeOfVarint(value: number): number {
  let size = 1;
  for (let rest = toZigZag(value); rest >= 0x80; rest = Math.floor(rest / 0x80)) size += 1;
  return size;
}

function writeVarint(record: Buffer, start: number, value: number): number {
  let offset = start;
  let rest = toZigZag(value);
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) offset = record.writeUInt8((rest % 0x80) | 0x80, offset);
  return record.writeUInt8(rest, offset);
}

/** Uses arithmetic instead of bit operators, because timestamps have more than 32 bits. Exact up to 2^52. */
function toZigZag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}
