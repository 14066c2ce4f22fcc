import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanFilename, extensionOf } from './file.ts';

describe('a cleaned filename', () => {
  it.each([
    ['cv.pdf', 'cv.pdf'],
    ['/etc/passwd', 'passwd'],
    ['C:\\Users\\me\\cv.pdf', 'cv.pdf'],
    ['../../cv.pdf', 'cv.pdf'],
    ['  cv.pdf \n', 'cv.pdf'],
    ['a\r\nSet-Cookie: x.pdf', 'aSet-Cookie: x.pdf'],
    ['a\u202Efdp.exe', 'afdp.exe'],
    ['e\u0301.txt', '\u00e9.txt'],
    ['\ud800a.txt', 'a.txt'],
    ['.htaccess', '.htaccess'],
    ['', undefined],
    ['.', undefined],
    ['..', undefined],
    ['dir/', undefined],
    ['\u0000', undefined],
  ])('of %j is %j', (given, expected) => {
    expect(cleanFilename(given)).toBe(expected);
  });

  it('keeps its extension if it is too long', () => {
    const name = cleanFilename(`${'ä'.repeat(300)}.pdf`) ?? '';
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
    expect(name).toMatch(/^ä+\.pdf$/);
    expect(Buffer.byteLength(cleanFilename(`a.${'b'.repeat(300)}`) ?? '')).toBe(200);
  });

  it('has no path and no control character, and is stable, for any input', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (given) => {
      const name = cleanFilename(given);
      if (name === undefined) return;
      expect(name).not.toMatch(/[/\\\p{Cc}]/u);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
      expect(cleanFilename(name)).toBe(name);
    });
    fc.assert(property);
  });
});

it.each([
  ['a.PDF', 'pdf'],
  ['a.tar.gz', 'gz'],
  ['a', undefined],
  ['a.', undefined],
  ['.htaccess', undefined],
  [undefined, undefined],
])('the extension of %j is %j', (name, extension) => {
  expect(extensionOf(name)).toBe(extension);
});
