import { describe, expect, it } from 'vitest';
import { createTextCheck, findSignature, kindOfText } from './file-receiver.ts';

const NOTHING = { filename: undefined, declaredType: undefined };

describe('the signature of a file', () => {
  it.each([
    ['%PDF-1.7\n', 'application/pdf', 'pdf'],
    ['GIF89a........', 'image/gif', 'gif'],
    ['PK\u0003\u0004', 'application/zip', 'zip'],
    ['<?xml version="1.0"?><feed/>', 'application/xml', 'xml'],
    ['<?xml version="1.0"?>\n<!-- a -->\n<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 'svg'],
    ['<?xml version="1.0"?><!DOCTYPE html><html/>', 'text/html', 'html'],
    [
      '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "a" "b" [\n<!ENTITY c "http://d">\n<!ENTITY e "f">\n]>\n<svg/>',
      'image/svg+xml',
      'svg',
    ],
  ])('of %j is %s', async (text, contentType, extension) => {
    expect(await findSignature(Buffer.from(text, 'latin1'))).toEqual({ contentType, extension });
  });

  it.each(['', 'a', 'hello', '\u0000\u0000', 'PK'])('of %j is none', async (text) => {
    expect(await findSignature(Buffer.from(text, 'latin1'))).toBeUndefined();
  });

  it('is found or not in truncated files, without errors', async () => {
    const files = [
      'PK\u0003\u0004',
      '\u0000\u0000\u0000\u0018ftypmp42',
      'RIFF\u0000\u0000\u0000\u0000WEBP',
      'ID3\u0004',
      'Exif',
    ];
    for (const file of files)
      for (let length = 1; length < 64; length += 7)
        await findSignature(Buffer.concat([Buffer.from(file, 'latin1'), Buffer.alloc(length, 0xff)]));
  });
});

describe('the kind of a text', () => {
  it.each([
    ['a,b\n1,2', { filename: 'a.csv', declaredType: undefined }, 'text/csv'],
    ['a,b\n1,2', { filename: undefined, declaredType: 'text/csv; charset=utf-8' }, 'text/csv'],
    ['a,b\n1,2', { filename: 'a.txt', declaredType: 'text/csv' }, 'text/plain'],
    ['{"a":1}', { filename: 'a.json', declaredType: undefined }, 'application/json'],
    ['no json', { filename: 'a.json', declaredType: 'application/json' }, 'text/plain'],
    ['hello', { filename: 'a.pdf', declaredType: 'application/pdf' }, 'text/plain'],
    ['hello', NOTHING, 'text/plain'],
    ['<svg onload="alert(1)">', { filename: 'a.txt', declaredType: 'text/plain' }, 'image/svg+xml'],
    [' <!-- x --><svg:svg/>', NOTHING, 'image/svg+xml'],
    ['<!DOCTYPE html>\n<title>x', { filename: 'a.csv', declaredType: undefined }, 'text/html'],
    ['<HTML>', NOTHING, 'text/html'],
    ['a < b', NOTHING, 'text/plain'],
  ] as const)('of %j, called %j, is %s', (text, declared, contentType) => {
    expect(kindOfText(Buffer.from(text), declared).contentType).toBe(contentType);
  });

  it('is found quickly, however long the comments before the root element are', () => {
    const texts = [
      `${'<!--'.repeat(1_000)}${'<?'.repeat(1_000)}`,
      '<!doctype['.repeat(1_000),
      '<!doctype[]'.repeat(1_000),
    ];
    for (const text of texts) expect(kindOfText(Buffer.from(text), NOTHING).contentType).toBe('text/plain');
  });
});

describe('a check for text', () => {
  const isText = (...pieces: readonly Uint8Array[]) => {
    const check = createTextCheck();
    for (const piece of pieces) check.push(piece);
    check.end();
    return check.isText();
  };
  const euro = Buffer.from('€');

  it.each([
    ['letters', [Buffer.from('hello\tworld\r\n')], true],
    ['a character split between pieces', [euro.subarray(0, 1), euro.subarray(1)], true],
    ['a character truncated at the end', [euro.subarray(0, 2)], false],
    ['a NUL', [Buffer.from('a\u0000')], false],
    ['an escape', [Buffer.from('\u001b[31m')], false],
    ['Latin-1', [Buffer.from('é', 'latin1')], false],
    ['invalid bytes after text', [Buffer.from('a'), Buffer.from([0xff]), Buffer.from('a')], false],
  ])('handles %s', (_case, pieces, expected) => {
    expect(isText(...pieces)).toBe(expected);
  });
});
