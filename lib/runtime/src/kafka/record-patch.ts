import { createRequire } from 'node:module';
import { encodeRecord, type RecordFields } from './encode-record.ts';

/** What is used of kafkajs's class: bytes, and as many of them as are written. */
interface Encoder {
  readonly buf: Buffer;
  readonly offset: number;
}

type EncodeRecord = (record: RecordFields) => Encoder;

const FOLDER = 'kafkajs/src/protocol';
const PATCHED = Symbol.for('survey.kafkajs.record-patch');
/** What the function with the fault contains: encoders of 512 zeroed bytes, and more of them for every header. */
const FAULT = '.writeVarIntArray(headersArray.map(Header))';

/**
 * kafkajs 2.2.4 writes a message into buffers of 512 bytes, one more for each header, and every number into a buffer of
 * its own: that takes longer than all else that it does for a message. This writes it at once.
 *
 * Throws when kafkajs is no longer what this was written for, or has sent messages before.
 */
export function patchRecords(): void {
  const require = createRequire(import.meta.url);
  const path = require.resolve(`${FOLDER}/recordBatch/record/v0/index.js`);
  // Files of kafkajs that are not part of its types; what is used of them is checked.
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
