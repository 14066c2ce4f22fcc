import { describe, expect, it } from 'vitest';
import { shareLookups } from './shared-lookup.ts';

describe('the look-ups of a name', () => {
  it('that are asked for at the same time are one, and those of other names their own', async () => {
    const asked: string[] = [];
    const look = shareLookups(async (name) => {
      asked.push(name);
      return [`${name} has an address`];
    });
    const found = await Promise.all(['a.test', 'a.test', 'b.test'].map(look));
    expect(found).toEqual([['a.test has an address'], ['a.test has an address'], ['b.test has an address']]);
    expect(asked).toEqual(['a.test', 'b.test']);
  });

  it('that failed are made again', async () => {
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
