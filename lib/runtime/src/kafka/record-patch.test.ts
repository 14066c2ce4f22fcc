import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeRecord, patchRecords, type RecordFields } from './record-patch.ts';

const require = createRequire(import.meta.url);
const FOLDER = 'kafkajs/src/protocol';
const RECORD = require.resolve(`${FOLDER}/recordBatch/record/v0/index.js`);
const REQUEST = require.resolve(`${FOLDER}/requests/produce/v3/request.js`);
const encodeByKafkajs = (record: RecordFields): Buffer => require(RECORD)(record).buffer;

/** Loads the modules anew, as before any message was sent. */
function forget(): void {
  for (const file of [RECORD, REQUEST]) delete require.cache[file];
}

describe('an encoded record', () => {
  const record = { key: Buffer.from('key'), value: Buffer.from('value'), offsetDelta: 3 };

  it.each<readonly [string, RecordFields]>([
    ['nothing', {}],
    ['no headers', record],
    ['neither key nor value', { key: null, value: null }],
    ['texts', { ...record, headers: { ce_id: '4', ce_time: '2026-01-02T03:04:05.000Z', empty: '' } }],
    ['bytes', { ...record, headers: { ce_id: Buffer.from([0, 255, 128]) } }],
    ['several values', { ...record, headers: { ce_id: ['1', Buffer.from('2')], none: [] } }],
    ['other than ASCII', { key: '𝄞', value: 'é', headers: { größe: '✓ 𝄞', ce_id: 'é' } }],
    ['long ones', { value: 'é'.repeat(500_000), headers: { ['n'.repeat(200)]: 'é'.repeat(20_000) } }],
    ['many', { offsetDelta: 70_000, headers: { many: Array.from({ length: 300 }, String) } }],
    ['times far apart', { timestampDelta: 1_800_000_000_000 }],
    ['a time before the first', { timestampDelta: -5_000_000_000 }],
  ])('equals the encoding of kafkajs: %s', (_, fields) => {
    forget();
    expect(encodeRecord(fields)).toEqual(encodeByKafkajs(fields));
  });

  it('equals the encoding of kafkajs for any message', () => {
    forget();
    const data = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    );
    const fields = fc.record({
      offsetDelta: fc.nat(),
      timestampDelta: fc.integer({ min: -(2 ** 45), max: 2 ** 45 }),
      key: fc.option(data),
      value: fc.option(data),
      headers: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.oneof(data, fc.array(data))),
    });
    fc.assert(
      fc.property(fields, (one) => {
        expect(encodeRecord(one)).toEqual(encodeByKafkajs(one));
      }),
    );
  });
});

describe('the patched records of kafkajs', () => {
  it('use our own encoder in requests that are loaded later', () => {
    forget();
    const headers = { ce_id: '4' };
    const expected = encodeByKafkajs({ headers });
    forget();
    patchRecords();
    const { buffer, offset } = require(RECORD)({ headers });
    expect(buffer).toEqual(expected);
    expect(offset).toBe(expected.length);
    expect(require(RECORD)({ headers }).size()).toBe(expected.length);
  });

  it('can be patched twice', () => {
    expect(patchRecords).not.toThrow();
  });

  it('cannot be patched after messages were encoded', () => {
    forget();
    require(REQUEST);
    expect(patchRecords).toThrow('kafkajs has changed');
  });
});
