import { describe, expect, it } from 'vitest';
import { readFileName, safeFileName } from './file-name.ts';

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

describe('readFileName', () => {
  it.each([
    [null, undefined],
    ['attachment', undefined],
    ['attachment; filename="a.csv"', 'a.csv'],
    ['attachment; filename=a.csv', 'a.csv'],
    ['attachment; filename="a\\"b.csv"', 'a"b.csv'],
    [`attachment; filename="Film - 1.mp4"; filename*=UTF-8''Film%20%E2%80%93%201.mp4`, 'Film – 1.mp4'],
    [`attachment; filename="a.csv"; filename*=UTF-8''%E2%80`, 'a.csv'],
  ])('reads %j', (header, name) => {
    expect(readFileName(header)).toBe(name);
  });
});
