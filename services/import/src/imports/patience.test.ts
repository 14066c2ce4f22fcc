import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { createPatience } from './patience.ts';

const now = () => performance.now();
const away = new AppError('UNAVAILABLE');

describe('patience', () => {
  it('ends within a pause of many seconds when the import does not go on', async () => {
    let asked = 0;
    const goesOn = () => {
      asked += 1;
      return asked < 3;
    };
    expect(await createPatience({ patienceMs: 60_000, goesOn, now })(20, away)).toBe(false);
  }, 5_000);

  it('is there for what passes, and not for ever', async () => {
    const goesOn = () => true;
    expect(await createPatience({ patienceMs: 60_000, goesOn, now })(1, away)).toBe(true);
    expect(await createPatience({ patienceMs: 0, goesOn, now })(1, away)).toBe(false);
    const final = new AppError('SURVEY_NOT_FOUND');
    expect(await createPatience({ patienceMs: 60_000, goesOn, now })(1, final)).toBe(false);
  });
});
