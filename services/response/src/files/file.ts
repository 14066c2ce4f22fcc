import type { JsonObject } from '@bufbuild/protobuf';
import { fileIdsOf } from '@survey/questionnaire/answers/answer-value';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';

/**
 * The state of an uploaded file. A response claims its files before it is stored. After an interruption, the sweeper
 * settles a file: it finds out whether the stored response names it.
 *
 * - `uploading`: bytes arrive. Then the file is `ready`.
 * - `ready`: an answer may name the file. A response that names it claims it.
 * - `claimed`: this response is being stored. Then the file is `attached`, or `ready` again if that failed.
 * - `attached`: a stored response names the file.
 * - `dropping`: the response is being changed or deleted, and will no longer name the file. Then it is `doomed`, or
 *   `attached` again if that failed.
 * - `doomed`: the file is being destroyed.
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
  /** Time at which the file is deleted, unless its upload is complete. */
  readonly dueAt: Date;
}

export interface FileContent {
  readonly size: number;
  /** Media type, determined from the bytes. */
  readonly contentType: string;
  readonly chunks: number;
}

/** A stored file. It is complete unless its state is `uploading`. */
export interface StoredFile extends Omit<NewFile, 'dueAt'>, FileContent {
  readonly state: FileState;
  readonly responseId: string | undefined;
  /** Number of times that a response claimed it, to notice a later claim. */
  readonly claims: number;
  /** Time at which the file is deleted if no answer names it; undefined while uploading. */
  readonly expiresAt: Date | undefined;
  /** Time at which the file must be settled; undefined if there is nothing to settle. */
  readonly dueAt: Date | undefined;
}

/** Maximum size of any file, in bytes. A question can only lower it. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** Size of a chunk, which is encrypted and stored as one document. */
export const CHUNK_BYTES = 256 * 1024;

/** Maximum length of a filename. */
const MAX_FILENAME_BYTES = 200;
const MAX_EXTENSION_LENGTH = 20;

/** Control characters, bidirectional marks (which can make `fdp.exe` look like `exe.pdf`), and lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Removes the path and unsafe characters from a filename. Returns undefined if nothing is left. */
export function cleanFilename(path: string): string | undefined {
  const last = path.split(/[/\\]/).at(-1) ?? '';
  const name = last.normalize('NFC').replace(UNSAFE, '').trim();
  return /^\.*$/.test(name) ? undefined : shorten(name);
}

/** Returns the extension in lower case without its dot; undefined if there is none. */
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

/** Whether answers name a file in the answer to its question. */
export function isReferenced(
  data: JsonObject,
  { id, questionId }: { readonly id: string; readonly questionId: string },
) {
  return Object.hasOwn(data, questionId) && fileIdsOf(data[questionId]).includes(id);
}
