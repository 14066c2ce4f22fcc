import type { JsonObject } from '@bufbuild/protobuf';
import { fileIdsOf } from '@survey/questionnaire/answers/answer-value';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';

/**
 * The state of an uploaded file. A response claims its files before it is stored. If the write is interrupted, a
 * sweeper settles the files: it finds out whether the stored response names them.
 *
 * - `uploading`: bytes arrive. The next state is `ready`.
 * - `ready`: a response may claim the file by naming it in an answer.
 * - `claimed`: the response that names the file is being stored. The next state is `attached`, or `ready` after a
 *   failure.
 * - `attached`: a stored response names the file.
 * - `dropping`: a change or deletion removes the file from its response. The next state is `doomed`, or `attached`
 *   after a failure.
 * - `doomed`: the file is being deleted.
 */
export type FileState = 'uploading' | 'ready' | 'claimed' | 'attached' | 'dropping' | 'doomed';

/** States of files that a response holds: no other response can claim them. */
export const HELD_STATES: readonly FileState[] = ['claimed', 'attached', 'dropping'];

/** A file before its bytes arrive. */
export interface NewFile {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly surveyId: string;
  readonly questionId: string;
  readonly filename: EncryptedRecord | undefined;
  /** Size in bytes. While uploading, the maximum size. */
  readonly size: number;
  /** Time at which an incomplete upload is deleted. */
  readonly deleteAt: Date;
}

export interface FileContent {
  readonly size: number;
  /** Media type, determined from the bytes. */
  readonly contentType: string;
  readonly chunks: number;
}

/** A stored file. It is complete unless its state is `uploading`. */
export interface StoredFile extends Omit<NewFile, 'deleteAt'>, FileContent {
  readonly state: FileState;
  readonly responseId: string | undefined;
  /** Number of claims by responses. A write uses it to detect a claim since the file was read. */
  readonly claims: number;
  /** Time at which the file is deleted if no answer names it. Undefined while uploading. */
  readonly expiresAt: Date | undefined;
  /** Time at which the file must be settled or deleted. Undefined if there is nothing to do. */
  readonly dueAt: Date | undefined;
}

/** Maximum size of any file, in bytes. A question can have a lower limit. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** Size of a chunk. A chunk is encrypted and stored as one document. */
export const CHUNK_BYTES = 256 * 1024;

const MAX_FILENAME_BYTES = 200;
const MAX_EXTENSION_LENGTH = 20;

/** Control characters, lone surrogates and bidirectional marks. The marks can make `fdp.exe` look like `exe.pdf`. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Removes the path and unsafe characters from a filename. Returns undefined if nothing is left. */
export function cleanFilename(path: string): string | undefined {
  const last = path.split(/[/\\]/).at(-1) ?? '';
  const name = last.normalize('NFC').replace(UNSAFE, '').trim();
  return /^\.*$/.test(name) ? undefined : shorten(name);
}

/** Returns the extension in lower case, without its dot. */
export function extensionOf(name: string | undefined): string | undefined {
  const dot = name?.lastIndexOf('.') ?? -1;
  return name === undefined || dot < 1 || dot === name.length - 1 ? undefined : name.slice(dot + 1).toLowerCase();
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_FILENAME_BYTES) return name;
  const extension = extensionOf(name) ?? '';
  const suffix =
    extension.length > 0 && extension.length <= MAX_EXTENSION_LENGTH ? name.slice(-extension.length - 1) : '';
  const characters = [...name.slice(0, name.length - suffix.length)];
  while (Buffer.byteLength(characters.join('') + suffix) > MAX_FILENAME_BYTES) characters.pop();
  return characters.join('') + suffix;
}

/** Whether the answer to the question of a file names the file. */
export function isReferenced(
  data: JsonObject,
  { id, questionId }: { readonly id: string; readonly questionId: string },
) {
  return Object.hasOwn(data, questionId) && fileIdsOf(data[questionId]).includes(id);
}
