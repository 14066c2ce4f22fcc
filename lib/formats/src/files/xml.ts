import { setImmediate } from 'node:timers/promises';
import sax, { type SAXParser } from 'sax';
import type { ImportFile } from './import-file.ts';
import { invalidFile } from './report.ts';
import { readTextPieces, requireWholeSize } from './text.ts';

/** Receives the content of an XML file in document order. If a handler throws, reading stops. */
interface XmlHandler {
  /** Start of an element. The name has no namespace prefix, attribute names keep theirs. */
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  /** Text of the innermost open element. Long texts come in chunks. */
  text(text: string): void;
  close(name: string): void;
}

export const XML_LIMITS = {
  /** Maximum nesting of elements. */
  depth: 64,
  /** Maximum attributes of an element. */
  attributes: 64,
  /** Maximum characters between two tags. */
  text: 1024 * 1024,
} as const;

/** Characters per write. Between writes, the event loop runs other work. */
const SLICE = 64 * 1024;
const MAX_REASON = 200;
/** Encodings that `readTextPieces` reads. The XML declaration can name others. */
const ENCODINGS = /^utf-?(8|16)/i;

/**
 * Reads an XML 1.0 file in UTF-8 or UTF-16. Files with a DOCTYPE are rejected, so only the predefined and numeric
 * entities exist. Throws `INVALID_IMPORT` with line and column.
 */
export async function readXml(file: ImportFile, handler: XmlHandler): Promise<void> {
  requireWholeSize(file);
  for await (const _ of streamXml(file, handler));
}

/** Like `readXml`, for files of any size. Yields after each 64 KiB, so that the caller can process what `handler` received. */
export async function* streamXml(file: ImportFile, handler: XmlHandler): AsyncGenerator<void> {
  const parser = createParser(handler);
  for await (const piece of readTextPieces(file)) {
    for (let start = 0; start < piece.length; start += SLICE) {
      parser.write(piece.slice(start, start + SLICE));
      await setImmediate();
      yield;
    }
  }
  parser.close();
  yield;
}

function createParser(handler: XmlHandler): SAXParser {
  const parser = sax.parser(true, { position: true });
  let attributes = new Map<string, string>();
  let depth = 0;
  let length = 0;
  let hasRoot = false;
  const xmlError = (reason: string) => {
    return invalidFile('BAD_XML', `line ${parser.line + 1}, column ${parser.column}: ${reason}`);
  };
  const addText = (text: string) => {
    length += text.length;
    if (length > XML_LIMITS.text) throw xmlError(`there are more than ${XML_LIMITS.text} characters between two tags`);
    if (depth > 0) handler.text(text);
  };

  parser.onerror = ({ message }) => {
    throw xmlError((message.split('\n')[0] ?? '').slice(0, MAX_REASON).toWellFormed());
  };
  parser.ondoctype = () => {
    throw xmlError('a document type (DOCTYPE) is not allowed');
  };
  parser.onprocessinginstruction = ({ name, body }) => {
    const encoding = name === 'xml' ? /encoding\s*=\s*["']([^"']*)/.exec(body)?.[1] : undefined;
    if (encoding !== undefined && !ENCODINGS.test(encoding)) {
      throw xmlError(`the encoding must be UTF-8 or UTF-16, not ${encoding.slice(0, MAX_REASON)}`);
    }
  };
  parser.onopentagstart = () => {
    attributes = new Map();
  };
  parser.onattribute = ({ name, value }) => {
    attributes.set(name, value);
    if (attributes.size > XML_LIMITS.attributes) {
      throw xmlError(`an element has more than ${XML_LIMITS.attributes} attributes`);
    }
  };
  parser.onopentag = ({ name }) => {
    hasRoot = true;
    depth += 1;
    length = 0;
    if (depth > XML_LIMITS.depth) throw xmlError(`elements are nested more than ${XML_LIMITS.depth} levels deep`);
    handler.open(withoutPrefix(name), attributes);
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onclosetag = (name) => {
    depth -= 1;
    length = 0;
    handler.close(withoutPrefix(name));
  };
  parser.onend = () => {
    if (!hasRoot) throw xmlError('the file has no elements');
  };
  return parser;
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
