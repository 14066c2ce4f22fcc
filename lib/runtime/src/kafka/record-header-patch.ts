import { createRequire } from 'node:module';

/** The part of kafkajs's class that writes a header. */
interface Encoder {
  writeVarIntString(text: string): Encoder;
  writeVarIntBytes(bytes: string | Buffer): Encoder;
}

type EncodeHeader = (header: { readonly key: string; readonly value: string | Buffer }) => Encoder;

const FOLDER = 'kafkajs/src/protocol';
const PATCHED = Symbol.for('survey.kafkajs.record-header-patch');
/** What the function with the fault contains: an encoder with 512 zeroed bytes of its own. */
const FAULT = 'new Encoder()';
/** The most that the two lengths take. */
const LENGTHS = 10;

/**
 * kafkajs 2.2.4 allocates 512 bytes for each header of each message, which costs more than all else that it does for a
 * message with seven of them. This has as many as a header needs, from Node's pool.
 *
 * Throws when kafkajs is no longer what this was written for, or has sent messages before.
 */
export function patchRecordHeaders(): void {
  const require = createRequire(import.meta.url);
  const path = require.resolve(`${FOLDER}/recordBatch/header/v0/index.js`);
  // Files of kafkajs that are not part of its types; what is used of them is checked.
  const original = require(path) as EncodeHeader;
  if (Object.hasOwn(original, PATCHED)) return;
  const { prototype } = require(`${FOLDER}/encoder.js`) as { readonly prototype: Encoder };
  const isLoaded = require.cache[require.resolve(`${FOLDER}/recordBatch/record/v0/index.js`)] !== undefined;
  const module = require.cache[path];
  if (module === undefined || isLoaded || !original.toString().includes(FAULT)) {
    throw new Error('kafkajs has changed: see whether its headers still need the patch of record-header-patch.ts');
  }
  const encode: EncodeHeader = ({ key, value }) => {
    const buf = Buffer.allocUnsafe(LENGTHS + Buffer.byteLength(key) + Buffer.byteLength(value));
    const encoder = Object.assign(Object.create(prototype) as Encoder, { buf, offset: 0 });
    return encoder.writeVarIntString(key).writeVarIntBytes(value);
  };
  module.exports = Object.defineProperty(encode, PATCHED, { value: true });
}
