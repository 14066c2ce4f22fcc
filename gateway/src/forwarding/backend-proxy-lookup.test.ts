import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { createSpreadLookup, type LookupAll } from './backend-proxy.ts';

const ADDRESSES = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((address) => ({ address, family: 4 }));
const found: LookupAll = (_hostname, _options, done) => done(null, ADDRESSES);
const failed: LookupAll = (_hostname, _options, done) => done(new Error('ENOTFOUND'), []);

/** Returns these numbers in order, repeatedly. */
function sequence(...numbers: readonly number[]): () => number {
  let at = 0;
  return () => numbers[at++ % numbers.length] ?? 0;
}

function look(lookupAll: LookupAll, all: boolean, random = sequence(0.9, 0.1, 0.5)) {
  return new Promise<{ error: Error | null; address: string | LookupAddress[]; family: number | undefined }>(
    (resolve) => {
      const lookup = createSpreadLookup(lookupAll, random);
      lookup('replicas.example', { all }, (error, address, family) => resolve({ error, address, family }));
    },
  );
}

describe('the addresses of a name', () => {
  it('are shuffled', async () => {
    const { address } = await look(found, true);
    expect(address).toEqual([ADDRESSES[1], ADDRESSES[2], ADDRESSES[0]]);
  });

  it('are reduced to a random one if a single address is requested', async () => {
    expect(await look(found, false)).toEqual({ error: null, address: '10.0.0.2', family: 4 });
  });

  it('are empty, with an error, if the name is unknown', async () => {
    for (const all of [true, false])
      expect(await look(failed, all)).toMatchObject({ error: { message: 'ENOTFOUND' }, address: [] });
  });

  it('come from the system by default', async () => {
    const addresses = await new Promise((resolve) => {
      createSpreadLookup()('localhost', { all: true }, (_error, all) => resolve(all));
    });
    expect(addresses).toEqual(expect.arrayContaining([{ address: '127.0.0.1', family: 4 }]));
  });
});
