import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { AppError } from '@survey/runtime/errors/app-error';
import { type Batch, type Judged, NOTHING_JUDGED } from '../reading/batches.ts';
import type { ReadSurvey } from '../reading/read-import.ts';
import type { StagedFile } from './staged-file.ts';
import type { StagedPieceStore } from './staged-piece-store.ts';

/** The state of a spool. It is stored with the job. */
export interface Spool extends Judged {
  /** Number of batches. */
  readonly batches: number;
  /** Whether the file was read to its end. */
  readonly isComplete: boolean;
}

/** The content of a file besides responses. It is known when the file was read to its end. */
export interface SpoolEnd {
  readonly read: ReadSurvey;
  /** The first warnings, and the number of further ones. */
  readonly warnings: readonly FieldProblem[];
  readonly moreWarnings: number;
}

export const EMPTY_SPOOL: Spool = { ...NOTHING_JUDGED, batches: 0, isComplete: false };

interface Dependencies {
  readonly envelope: Pick<Envelope, 'cipherOf' | 'decrypt'>;
  readonly store: StagedPieceStore;
}

/** The part of a staged file to which a spool belongs. */
type Owner = Pick<StagedFile, 'id'>;

export type Spooling = ReturnType<typeof createSpooling>;

/**
 * Keeps the judged responses of a staged file until they are stored: its batches, then a `SpoolEnd`. They are encrypted
 * like the pieces of the file, expire with them, and are discarded with the file.
 */
export function createSpooling({ envelope, store }: Dependencies) {
  async function write(tenantId: TenantId, file: Owner, index: number, bytes: Uint8Array, isEnd: boolean) {
    const cipher = await envelope.cipherOf(tenantId);
    await store.add(tenantId, spoolId(file), index, cipher.seal(aadOf(file, index, isEnd), bytes));
  }

  async function read(tenantId: TenantId, file: Owner, index: number, isEnd: boolean): Promise<Uint8Array> {
    const record = await store.find(tenantId, spoolId(file), index);
    if (record === undefined) throw new AppError('IMPORT_FILE_GONE');
    return envelope.decrypt(tenantId, aadOf(file, index, isEnd), record);
  }

  return {
    /** Deletes what a process has added after this state. It died before it stored a later one. */
    discardAfter: (tenantId: TenantId, file: Owner, { batches }: Spool): Promise<void> =>
      store.discard(tenantId, spoolId(file), batches),

    /** Adds a batch, and returns the next state. Throws if another process has added one. */
    async add(tenantId: TenantId, file: Owner, { batches }: Spool, { bytes, judged }: Batch): Promise<Spool> {
      await write(tenantId, file, batches, bytes, false);
      return { ...judged, batches: batches + 1, isComplete: false };
    },

    async complete(tenantId: TenantId, file: Owner, spool: Spool, end: SpoolEnd): Promise<Spool> {
      await write(tenantId, file, spool.batches, Buffer.from(JSON.stringify(end)), true);
      return { ...spool, isComplete: true };
    },

    /** Reads the end of a complete spool. Throws `IMPORT_FILE_GONE` if it has expired. */
    async readEnd(tenantId: TenantId, file: Owner, { batches }: Spool): Promise<SpoolEnd> {
      // `complete` has written it.
      return JSON.parse(Buffer.from(await read(tenantId, file, batches, true)).toString()) as SpoolEnd;
    },

    /** Reads the batches from a number on. Throws `IMPORT_FILE_GONE` if one has expired. */
    async *readBatches(tenantId: TenantId, file: Owner, { batches }: Spool, from: number): AsyncGenerator<Uint8Array> {
      for (let index = from; index < batches; index += 1) yield read(tenantId, file, index, false);
    },
  };
}

/** Sorts between the pieces of the file and those of the next file: see `discard` of the pieces. */
function spoolId({ id }: Owner): string {
  return `${id}.spool`;
}

/** Additional authenticated data of a batch or of the end. */
function aadOf({ id }: Owner, index: number, isEnd: boolean): readonly string[] {
  return [id, 'spooled', String(index), isEnd ? 'end' : 'batch'];
}
