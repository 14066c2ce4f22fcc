import { describe, expect, it } from 'vitest';
import { shareLookups } from './shared-lookup.ts';

describe('lookups of a name', () => {
  it('are shared while concurrent, but not with other names', async () => {
    const asked: string[] = [];
    const look = shareLookups(async (name) => {
      asked.push(name);
      return [`${name} has an address`];
    });
    const found = await Promise.all(['a.test', 'a.test', 'b.test'].map(look));
    expect(found).toEqual([['a.test has an address'], ['a.test has an address'], ['b.test has an address']]);
    expect(asked).toEqual(['a.test', 'b.test']);
  });

  it('are repeated after a failure', async () => {
    let isUp = false;
    const look = shareLookups(async () => {
      if (!isUp) throw new Error('no answer');
      return ['192.0.2.1'];
    });
    await expect(look('a.test')).rejects.toThrow('no answer');
    isUp = true;
    expect(await look('a.test')).toEqual(['192.0.2.1']);
  });
});
