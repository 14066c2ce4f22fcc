import { describe, expect, it } from 'vitest';
import { remembered } from './remembered.ts';

describe('remembered', () => {
  it('asks once for those that come together or soon after, counted from the answer on', async () => {
    let time = 0;
    let asked = 0;
    const slow = async () => {
      asked += 1;
      time += 5_000;
      return asked;
    };
    const read = remembered(slow, 1_000, () => time);
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    time += 1_000;
    expect(await read()).toBe(1);
    time += 1;
    expect(await read()).toBe(2);
  });

  it('tells a failure to all that waited for it, and asks again', async () => {
    let works = false;
    const read = remembered(
      async () => (works ? 'here' : Promise.reject(new Error('away'))),
      1_000,
      () => 0,
    );
    expect(await Promise.allSettled([read(), read()])).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    works = true;
    expect(await read()).toBe('here');
  });
});
