import { createRequire } from 'node:module';
import { encodeRecord, type RecordFields } from './encode-record.ts';

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
