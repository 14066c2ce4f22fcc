import { fileTypeFromBuffer } from 'file-type';
import { extensionOf } from './clean-filename.ts';

export interface FileKind {
  /** Media type, without parameters. */
  readonly contentType: string;
  /** Extension without a dot; undefined for an unknown kind. */
  readonly extension: string | undefined;
}

export const UNKNOWN_KIND: FileKind = { contentType: 'application/octet-stream', extension: undefined };

/** The kind that the client declares for a file. Used only if the bytes do not determine the kind. */
export interface DeclaredKind {
  readonly filename: string | undefined;
  /** `Content-Type` of the upload. */
  readonly declaredType: string | undefined;
}

/** Text formats without a signature. */
const TEXTS: readonly (FileKind & { readonly extension: string })[] = [
  { extension: 'csv', contentType: 'text/csv' },
  { extension: 'tsv', contentType: 'text/tab-separated-values' },
  { extension: 'json', contentType: 'application/json' },
  { extension: 'md', contentType: 'text/markdown' },
];
const PLAIN: FileKind = { contentType: 'text/plain', extension: 'txt' };
const SVG: FileKind = { contentType: 'image/svg+xml', extension: 'svg' };
const HTML: FileKind = { contentType: 'text/html', extension: 'html' };
const XML: FileKind = { contentType: 'application/xml', extension: 'xml' };

/** The prolog of an XML or HTML document: declarations, comments, a document type with declarations in brackets. */
const PROLOG = /^\uFEFF?(?:\s|<\?[^>]*>|<!--(?:(?!-->)[\s\S])*-->|<!doctype[^>[]*(?:\[[^\]]*\]\s*)?>)*/i;
/** The root element must be in this part of a file. */
const HEAD_CHARACTERS = 4_096;

/** Finds the kind of a file by the signature at its beginning. Returns undefined if there is none. */
export async function findSignature(beginning: Uint8Array): Promise<FileKind | undefined> {
  const found = await readSignature(beginning);
  if (found === undefined) return undefined;
  // SVG and XHTML also have the signature of XML.
  if (found.mime === XML.contentType) return kindOfMarkup(headOf(beginning)) ?? XML;
  return { contentType: found.mime, extension: found.ext };
}

async function readSignature(beginning: Uint8Array) {
  try {
    return await fileTypeFromBuffer(beginning);
  } catch {
    // The parser throws on malformed files. They have no known kind.
    return undefined;
  }
}

/** Returns the kind of a text file without a signature. The declared kind only selects the text format. */
export function kindOfText(beginning: Uint8Array, { filename, declaredType }: DeclaredKind): FileKind {
  const head = headOf(beginning);
  const markup = kindOfMarkup(head);
  if (markup !== undefined) return markup;
  const extension = extensionOf(filename);
  const type = declaredType?.split(';', 1)[0]?.trim().toLowerCase();
  const kind = TEXTS.find((one) => (extension === undefined ? one.contentType === type : one.extension === extension));
  if (kind === undefined || (kind.extension === 'json' && !/^\uFEFF?\s*[[{]/.test(head))) return PLAIN;
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
