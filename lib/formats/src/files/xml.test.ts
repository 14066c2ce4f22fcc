import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { fileOf } from './import-file.ts';
import { readXml, XML_LIMITS } from './xml.ts';

async function eventsOf(xml: string | Uint8Array) {
  const events: string[] = [];
  await readXml(fileOf(xml), {
    open: (name, attributes) =>
      events.push(`<${[name, ...[...attributes].map(([key, value]) => `${key}=${value}`)].join(' ')}>`),
    text: (text) => events.push(text),
    close: (name) => events.push(`</${name}>`),
  });
  return events;
}

async function rejectionOf(xml: string | Uint8Array) {
  const error = await eventsOf(xml).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  const { code, errors = [] } = error as AppError;
  expect(code).toBe('INVALID_IMPORT');
  return errors.map(({ code, detail }) => `${code} ${detail}`).join();
}

describe('an XML file', () => {
  it('is read element by element; attributes keep their prefix', async () => {
    const xml = '<?xml version="1.0" encoding="UTF-8"?><x:a r:id="1&amp;2"><!-- no --><b/> &#65;<![CDATA[<&]]></x:a>';
    expect(await eventsOf(xml)).toEqual(['<a r:id=1&2>', '<b>', '</b>', ' A', '<&', '</a>']);
  });

  it('can be UTF-16, and have a byte order mark', async () => {
    const utf16 = Buffer.from('\uFEFF<a>ä</a>', 'utf16le');
    expect(await eventsOf(utf16)).toEqual(['<a>', 'ä', '</a>']);
    expect(await eventsOf('\uFEFF<a>ä</a>')).toEqual(['<a>', 'ä', '</a>']);
  });

  it('has long texts in chunks', async () => {
    const text = 'ä&'.repeat(100_000);
    const [, ...pieces] = await eventsOf(`<a><![CDATA[${text}]]></a>`);
    expect(pieces.slice(0, -1).join('') === text).toBe(true);
  });
});

describe('an invalid XML file', () => {
  it.each([
    ['nothing', '', 'line 1, column 0: the file has no elements'],
    ['no XML', '{"a": 1}', 'line 1, column 1: Non-whitespace before first tag.'],
    ['one that is cut off', '<a>\n<b>x', 'line 2, column 4: Unclosed root tag'],
    ['elements that cross', '<a>\n <b></a>', 'line 2, column 8: Unexpected close tag'],
    ['text after the end', '<a/>x', 'line 1, column 5: Text data outside of root node.'],
    ['an unknown entity', '<a>&nope;</a>', 'line 1, column 9: Invalid character entity'],
    ['another encoding', '<?xml version="1.0" encoding="latin1"?><a/>', 'the encoding must be UTF-8 or UTF-16'],
    ['a document type', '<!DOCTYPE a><a/>', 'document type (DOCTYPE) is not allowed'],
    [
      'entities that grow',
      '<!DOCTYPE a [<!ENTITY b "xx"><!ENTITY c "&b;&b;">]><a>&c;</a>',
      'document type (DOCTYPE) is not allowed',
    ],
    [
      'external entities',
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
      'document type (DOCTYPE)',
    ],
    ['too deep', '<a>'.repeat(XML_LIMITS.depth + 1), 'elements are nested more than 64 levels deep'],
    ['a text too long', `<a>${'x'.repeat(XML_LIMITS.text + 1)}</a>`, 'more than 1048576 characters between two tags'],
    ['a name too long', `<${'a'.repeat(300_000)}/>`, 'Max buffer length exceeded: tagName'],
    ['an attribute too long', `<a b="${'x'.repeat(300_000)}"/>`, 'Max buffer length exceeded: attribValue'],
    ['a comment without end', `<a><!--${'x'.repeat(300_000)}`, 'Max buffer length exceeded: comment'],
    [
      'too many attributes',
      `<a ${Array.from({ length: 65 }, (_, index) => `b${index}="x"`).join(' ')}/>`,
      'an element has more than 64 attributes',
    ],
  ])('is rejected with its location when it has %s', async (_case, xml, detail) => {
    expect(await rejectionOf(xml)).toContain(`BAD_XML line `);
    expect(await rejectionOf(xml)).toContain(detail);
  });

  it('is rejected if it is not text', async () => {
    expect(await rejectionOf(Buffer.from([0x3c, 0x61, 0x3e, 0xc3, 0x28]))).toContain('BAD_ENCODING');
  });

  it('is rejected before reading if it is too large', async () => {
    const open = () => {
      throw new Error('It was read');
    };
    await expect(readXml({ size: 2 ** 31, open }, { open() {}, text() {}, close() {} })).rejects.toMatchObject({
      errors: [{ code: 'TOO_LARGE' }],
    });
  });
});
