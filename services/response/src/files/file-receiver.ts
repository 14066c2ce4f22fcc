import { createHash } from 'node:crypto';
import type { FileQuestion } from '@survey/questionnaire/compiled-definition';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { AppError } from '@survey/runtime/errors/app-error';
import { type Piece, toPieces } from '@survey/runtime/rest/pieces';
import { CHUNK_BYTES, type FileContent, type NewFile } from './file.ts';
import { type DeclaredKind, type FileKind, findSignature, kindOfText, UNKNOWN_KIND } from './file-kind.ts';
import { kindProblem, sizeProblem } from './file-rules.ts';
import type { FileSealer } from './file-sealer.ts';
import type { FileStore } from './file-store.ts';
import { createTextCheck } from './text-check.ts';

export interface FileToReceive extends DeclaredKind {
  readonly file: NewFile;
  readonly question: FileQuestion;
  readonly seal: Pick<Awaited<ReturnType<FileSealer['sealerOf']>>, 'sealChunk'>;
  readonly body: AsyncIterable<Uint8Array>;
}

interface ReceivedFile extends FileContent {
  /** SHA-256 of the bytes. */
  readonly digest: Uint8Array;
}

/** Chunks in one write. Each write waits for the disks of a majority. */
const BATCH = 4;

/** Stores bytes as they arrive, with backpressure. Throws `INVALID_FILE` as early as possible. */
export function createFileReceiver(store: Pick<FileStore, 'addChunks'>) {
  return async ({ file, question, seal, body, filename, declaredType }: FileToReceive): Promise<ReceivedFile> => {
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
      batch.push(seal.sealChunk(file, chunks, chunk));
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

/** Returns a function that determines the kind of a file from its chunks so far. */
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
