import { expect, it } from 'vitest';
import { toPointerToken } from './pointer.ts';

it('a pointer with a cut name stays well-formed', () => {
  expect(toPointerToken(`${'a'.repeat(127)}😀`).isWellFormed()).toBe(true);
});
