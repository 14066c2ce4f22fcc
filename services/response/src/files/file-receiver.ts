import { createHash } from 'node:crypto';
import type { FileQuestion } from '@survey/questionnaire/compiled-definition';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { AppError } from '@survey/runtime/errors/app-error';
import { type Piece, toPieces } from '@survey/runtime/rest/pieces';
import { fileTypeFromBuffer } from 'file-type';
import { CHUNK_BYTES, extensionOf, type FileContent, type NewFile } from './file.ts';
import { kindProblem, sizeProblem } from './file-rules.ts';
import type { FileSealer } from './file-sealer.ts';
import type { FileStore } from './file-store.ts';

export interface FileToReceive extends DeclaredKind {
  readonly file: NewFile;
  readonly question: FileQuestion;
  readonly tenantSealer: Pick<Awaited<ReturnType<FileSealer['forTenant']>>, 'sealChunk'>;
  readonly body: AsyncIterable<Uint8Array>;
}

interface ReceivedFile extends FileContent {
  /** SHA-256 of the bytes. */
  readonly digest: Uint8Array;
}

/** Number of chunks in one write. */
const BATCH = 4;

/** Stores the chunks of a file as they arrive. Throws `INVALID_FILE` as early as possible. */
export function createFileReceiver(store: Pick<FileStore, 'addChunks'>) {
  return async ({
    file,
    question,
    tenantSealer,
    body,
    filename,
    declaredType,
  }: FileToReceive): Promise<ReceivedFile> => {
    const findKind = createKindFinder({ filename, declaredType });
    const hash = createHash('sha256');
    let kind = UNKNOWN_KIND;
    let size = 0;
    let chunks = 0;
    let batch: EncryptedRecord[] = [];
    for await (const chunk of toPieces(body, CHUNK_BYTES)) {
      size += chunk.bytes.length;
      checkSize(question, size);
      hash.update(chunk.bytes);
      kind = await findKind(chunk);
      throwIfProblem(kindProblem(question, kind, filename));
      batch.push(tenantSealer.sealChunk(file, chunks, chunk));
      chunks += 1;
      if (batch.length < BATCH && !chunk.isLast) continue;
      await store.addChunks(file, chunks - batch.length, batch);
      batch = [];
    }
    if (size === 0) throwIfProblem({ code: 'FILE_EMPTY', detail: 'the file is empty' });
    return { size, contentType: kind.contentType, chunks, digest: hash.digest() };
  };
}

/** Throws `INVALID_FILE` if a file of this size is too large for the question. */
export function checkSize(question: FileQuestion, size: number): void {
  throwIfProblem(sizeProblem(question, size));
}

/** Returns a function that gets the chunks of a file one by one, and determines the kind of the file so far. */
function createKindFinder(declared: DeclaredKind): (chunk: Piece) => Promise<FileKind> {
  const text = createTextCheck();
  let beginning: Uint8Array | undefined;
  let signature: FileKind | undefined;

  return async ({ bytes, isLast }) => {
    if (beginning === undefined) {
      beginning = bytes;
      signature = await findSignature(bytes);
    }
    if (signature !== undefined) return signature;
    text.push(bytes);
    if (isLast) text.end();
    return text.isText() ? kindOfText(beginning, declared) : UNKNOWN_KIND;
  };
}

function throwIfProblem(problem: { readonly code: string; readonly detail: string } | undefined): void {
  if (problem !== undefined) throw new AppError('INVALID_FILE', { errors: [{ path: '', ...problem }] });
}

/** Control characters, except tab, line feed, form feed and carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the check finds control characters
const CONTROL = /[\x00-\x08\x0b\x0e-\x1f\x7f]/;

/** Checks chunk by chunk whether a file is UTF-8 text. */
export function createTextCheck() {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isText = true;

  function decode(bytes: Uint8Array, stream: boolean): void {
    if (!isText) return;
    try {
      isText = !CONTROL.test(decoder.decode(bytes, { stream }));
    } catch {
      isText = false;
    }
  }

  return {
    push: (bytes: Uint8Array): void => decode(bytes, true),
    /** Whether all bytes so far can be text. The result is final after `end`. */
    isText: (): boolean => isText,
    end: (): void => decode(new Uint8Array(), false),
  };
}

export interface FileKind {
  /** Media type, without parameters. */
  readonly contentType: string;
  /** Extension without a dot. Undefined for an unknown kind. */
  readonly extension: string | undefined;
}

const UNKNOWN_KIND: FileKind = { contentType: 'application/octet-stream', extension: undefined };

/** The kind that the client declares. Used only if the bytes do not determine the kind. */
interface DeclaredKind {
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

/** The prolog of an XML or HTML document: declarations, comments and a document type. */
const PROLOG = /^\uFEFF?(?:\s|<\?[^>]*>|<!--(?:(?!-->)[\s\S])*-->|<!doctype[^>[]*(?:\[[^\]]*\]\s*)?>)*/i;
/** The root element must be in this part of a file. */
const HEAD_CHARACTERS = 4_096;

/** Finds the kind of a file by the signature at its beginning, if any. */
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
    // The parser throws on malformed files.
    return undefined;
  }
}

/** Returns the kind of a text file without a signature. The declared kind only selects one of the text formats. */
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
