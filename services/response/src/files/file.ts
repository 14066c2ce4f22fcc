import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';

/**
 * What becomes of a file: its bytes arrive, it waits for an answer, it is taken for a response that is about to be
 * stored, a stored response names it, it is being destroyed.
 */
export type FileState = 'uploading' | 'ready' | 'claimed' | 'attached' | 'doomed';

/** What is known of a file when its bytes begin to arrive. */
export interface NewFile {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly surveyId: string;
  readonly questionId: string;
  readonly filename: EncryptedRecord | undefined;
  /** Length in bytes, the most that it may come to while it is uploading. */
  readonly size: number;
  /** When it is over unless it has become something else. */
  readonly dueAt: Date;
}

/** What is known when all of them are there. */
export interface FileContent {
  readonly size: number;
  /** Media type, as the bytes show. */
  readonly contentType: string;
  /** Number of the pieces that the bytes are stored in. */
  readonly chunks: number;
}

/** A file whose bytes are all there, unless it is uploading. */
export interface StoredFile extends Omit<NewFile, 'dueAt'>, FileContent {
  readonly state: FileState;
  /** The response that it is taken for. */
  readonly responseId: string | undefined;
  /** When it is deleted if no answer names it; undefined while it is uploading. */
  readonly expiresAt: Date | undefined;
  /** When it is looked at again; undefined when nothing is in the balance. */
  readonly dueAt: Date | undefined;
}

/** A file may have this many bytes, whatever its question says. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** Bytes that are encrypted and stored together. */
export const CHUNK_BYTES = 256 * 1024;
