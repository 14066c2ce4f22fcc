import { describe, expect, it } from 'vitest';
import { safeFileName } from './file-name.ts';

describe('safeFileName', () => {
  it.each([
    ['Film – 1.mp4', 'Film – 1.mp4'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['photo\u202Egpj.exe', 'photo_gpj.exe'],
    ['a\u0000b\n.txt', 'a_b_.txt'],
    ['C:\\x|y?.pdf', 'C__x_y_.pdf'],
    [' . ', 'download'],
    [`${'x'.repeat(10_000)}.pdf`, `${'x'.repeat(150)}.pdf`],
  ])('of %j is %j', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });
});
