import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { patchRecordHeaders } from './record-header-patch.ts';

const require = createRequire(import.meta.url);
const FOLDER = 'kafkajs/src/protocol/recordBatch';
const pathOf = (part: string) => require.resolve(`${FOLDER}/${part}/v0/index.js`);
/** As kafkajs has them. */
const encodeRecord = (): ((record: object) => { readonly buffer: Buffer }) => require(pathOf('record'));

/** Loads the files anew, as they are before a message was sent. */
function forget(): void {
  for (const part of ['record', 'header']) delete require.cache[pathOf(part)];
}

describe('the patched headers of records', () => {
  const record = { key: Buffer.from('key'), value: Buffer.from('value'), offsetDelta: 3 };

  it.each([
    ['none', {}],
    ['texts', { ce_id: '4', ce_time: '2026-01-02T03:04:05.000Z', empty: '' }],
    ['bytes', { ce_id: Buffer.from([0, 255, 128]) }],
    ['several values', { ce_id: ['1', Buffer.from('2')] }],
    ['other than ASCII', { größe: '✓ 𝄞', ce_id: 'é' }],
    ['long ones', { ['n'.repeat(200)]: 'é'.repeat(20_000) }],
  ])('are the bytes that kafkajs writes: %s', (_, headers) => {
    forget();
    const expected = encodeRecord()({ ...record, headers }).buffer;
    forget();
    patchRecordHeaders();
    expect(encodeRecord()({ ...record, headers }).buffer).toEqual(expected);
  });

  it('can be patched again', () => {
    expect(patchRecordHeaders).not.toThrow();
  });

  it('are refused when messages were encoded before, which would go on without the patch', () => {
    forget();
    encodeRecord();
    expect(patchRecordHeaders).toThrow('kafkajs has changed');
  });
});
