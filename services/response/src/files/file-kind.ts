import { fileTypeFromBuffer } from 'file-type';
import { endingOf } from './clean-filename.ts';

/** What a file is. */
export interface FileKind {
  /** Media type, without parameters. */
  readonly contentType: string;
  /** The ending that such files have, without its dot; undefined for what is not known. */
  readonly ending: string | undefined;
}

export const UNKNOWN_KIND: FileKind = { contentType: 'application/octet-stream', ending: undefined };

/** What a file says of itself; believed where its bytes leave it open. */
export interface FileClaim {
  readonly filename: string | undefined;
  /** `Content-Type` of the upload. */
  readonly declared: string | undefined;
}

/** Kinds of text that have no signature of their own. */
const TEXTS: readonly (FileKind & { readonly ending: string })[] = [
  { ending: 'csv', contentType: 'text/csv' },
  { ending: 'tsv', contentType: 'text/tab-separated-values' },
  { ending: 'json', contentType: 'application/json' },
  { ending: 'md', contentType: 'text/markdown' },
];
const PLAIN: FileKind = { contentType: 'text/plain', ending: 'txt' };
const SVG: FileKind = { contentType: 'image/svg+xml', ending: 'svg' };
const HTML: FileKind = { contentType: 'text/html', ending: 'html' };
const XML: FileKind = { contentType: 'application/xml', ending: 'xml' };

/** What may stand before the root element of a document: a declaration, comments, a document type. */
const PROLOG = /^\uFEFF?(?:\s|<\?[^>]*>|<!--(?:(?!-->)[\s\S])*-->|<!doctype[^>]*>)*/i;
/** As much of a file as is looked at to find its root element. */
const HEAD_CHARACTERS = 4_096;

/** The kind that the beginning of a file shows by its signature; undefined when it shows none. */
export async function findSignature(beginning: Uint8Array): Promise<FileKind | undefined> {
  const found = await readSignature(beginning);
  if (found === undefined) return undefined;
  // The signature of XML is that of SVG and XHTML too.
  if (found.mime === XML.contentType) return kindOfMarkup(headOf(beginning)) ?? XML;
  return { contentType: found.mime, ending: found.ext };
}

async function readSignature(beginning: Uint8Array) {
  try {
    return await fileTypeFromBuffer(beginning);
  } catch {
    // Of a file that is made to look like something and is not: it is nothing known.
    return undefined;
  }
}

/** The kind of a file that is text and has no signature. What it calls itself decides only which text it is. */
export function kindOfText(beginning: Uint8Array, { filename, declared }: FileClaim): FileKind {
  const head = headOf(beginning);
  const markup = kindOfMarkup(head);
  if (markup !== undefined) return markup;
  const ending = endingOf(filename);
  const type = declared?.split(';', 1)[0]?.trim().toLowerCase();
  const kind = TEXTS.find((one) => (ending === undefined ? one.contentType === type : one.ending === ending));
  if (kind === undefined || (kind.ending === 'json' && !/^\uFEFF?\s*[[{]/.test(head))) return PLAIN;
  return kind;
}

function kindOfMarkup(head: string): FileKind | undefined {
  const [prolog = ''] = PROLOG.exec(head) ?? [];
  const root = head.slice(prolog.length);
  if (/^<(?:\w+:)?svg[\s>/]/i.test(root)) return SVG;
  return /^<html[\s>]/i.test(root) || /<!doctype html/i.test(prolog) ? HTML : undefined;
}

function headOf(beginning: Uint8Array): string {
  return new TextDecoder().decode(beginning.subarray(0, HEAD_CHARACTERS));
}
