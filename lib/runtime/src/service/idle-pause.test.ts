import { describe, expect, it } from 'vitest';
import { createIdlePause } from './idle-pause.ts';

describe('the pause of a poll', () => {
  it('stays short after work, grows while there is none, and has a limit', () => {
    let now = 0;
    const pause = createIdlePause({ everyMs: 200, idleEveryMs: 5_000, now: () => now });
    const after = (idleMs: number) => {
      now += idleMs;
      return pause.ms();
    };
    expect(after(0)).toBe(200);
    expect(after(2_000)).toBe(200);
    expect(after(8_000)).toBe(1_000);
    expect(after(90_000)).toBe(5_000);
    pause.worked();
    expect(after(0)).toBe(200);
  });
});
