import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { DecryptionError } from '@survey/runtime/crypto/aes-gcm';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { Binary, type Collection } from 'mongodb';
import type { Logger } from 'pino';
import type { SurveyRef } from './write-window-store.ts';

/** A count slice: the encrypted counts of the responses to a survey in a time range. */
export interface SliceDocument {
  /** `<tenant id>:<survey id>:<start of the range in ms>` */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly survey_id: string;
  /** Null if the range has no start. */
  readonly since: Date | null;
  readonly until: Date;
  /** Format of the counts, and the counted versions. */
  readonly basis: string;
  /** Identifies the basis, the range and the state of the counted responses. */
  readonly content_id: string;
  /** Number of the last write window (`WriteWindows`) at the confirmation. Null if this window was open. */
  readonly window: number | null;
  /** Time of the last comparison of the counts with the responses. */
  readonly confirmed_at: Date;
  readonly counts: EncryptedRecord;
}

/** A comparison of counts with the responses. */
export interface Confirmation {
  /** Number of the last write window (`WriteWindows`). Undefined if this window was open. */
  readonly window: number | undefined;
  readonly at: Date;
}

/** Counts of a time slice, without encryption. */
interface CountSlice<C> {
  readonly since: Date | undefined;
  readonly until: Date;
  readonly basis: string;
  /** Identifies the counts. Replicas that count the same responses make the same id. */
  readonly contentId: string;
  readonly confirmation: Confirmation;
  readonly counts: C;
}

/** A slice with encoded counts of at most `MAX_SLICE_BYTES`. */
export type EncodedSlice = CountSlice<Uint8Array>;

/** A format of counts. */
export interface CountsFormat<C> {
  /** The basis of a slice begins with the number of its format and a colon. */
  readonly number: number;
  /** Throws if the bytes are not counts of this format. */
  readonly decode: (bytes: Uint8Array) => C;
}

interface Dependencies {
  readonly collection: Collection<SliceDocument>;
  readonly envelope: Pick<Envelope, 'cipherOf' | 'encrypt' | 'decrypt'>;
  readonly log: Logger;
}

export const MAX_SLICE_BYTES = 1024 * 1024;
/** Slices that no summary has confirmed for this time are deleted, such as outdated ones. */
const KEPT_SECONDS = 7 * 24 * 60 * 60;
/** Maximum number of slices that `find` reads, enough for 40 million responses. */
const MAX_FOUND = 4_000;
/** Number of slices in one reply of MongoDB. */
const PAGE = 8;

export const sliceIndexes: IndexSpecs[string] = [
  { name: 'by_survey', key: { tenant_id: 1, survey_id: 1, until: 1, since: 1 } },
  // Finds the newest basis without reading the large counts.
  { name: 'newest_basis', key: { tenant_id: 1, survey_id: 1, confirmed_at: 1, basis: 1 } },
  { name: 'expiry', key: { confirmed_at: 1 }, expireAfterSeconds: KEPT_SECONDS },
];

export type SliceStore = ReturnType<typeof createSliceStore>;

/** Stores counts of time slices. Counts are encrypted, because counts of few responses reveal answers. */
export function createSliceStore({ collection, envelope, log }: Dependencies) {
  const slicesOf = (tenantId: TenantId) => tenantCollection(collection, tenantId);

  /** Returns undefined if the document is corrupt. */
  async function open<C>(
    document: SliceDocument,
    decode: (bytes: Uint8Array) => C,
  ): Promise<CountSlice<C> | undefined> {
    if (!isSliceDocument(document)) return undefined;
    const { tenant_id: tenantId, survey_id: surveyId, until, basis, confirmed_at: at } = document;
    const since = document.since ?? undefined;
    const confirmation = { window: document.window ?? undefined, at };
    const bytes = await decrypt(tenantId, aadOf(surveyId, { since, until, basis }), document.counts);
    if (bytes === undefined) return undefined;
    try {
      return { since, until, basis, confirmation, counts: decode(bytes), contentId: document.content_id };
    } catch {
      return undefined;
    }
  }

  async function decrypt(tenantId: TenantId, aad: readonly string[], record: EncryptedRecord) {
    try {
      return await envelope.decrypt(tenantId, aad, record);
    } catch (error) {
      if (error instanceof DecryptionError) return undefined;
      throw error;
    }
  }

  return {
    /**
     * Finds the slice that was confirmed last. Reads the slices with its basis, sorted by `until`. Slices can overlap,
     * and their counts can be outdated. Removes slices that cannot be decrypted or decoded.
     *
     * @param format slices of another format are ignored
     */
    async *find<C>(
      { tenantId, surveyId }: SurveyRef,
      { number, decode }: CountsFormat<C>,
    ): AsyncIterable<CountSlice<C>> {
      // Throws if the keys of the tenant cannot be read, so that the slices are not removed as unreadable.
      await envelope.cipherOf(tenantId);
      const ofFormat = { survey_id: surveyId, basis: { $regex: `^${number}:` } };
      const newest = await slicesOf(tenantId).findOne<Pick<SliceDocument, 'basis'>>(ofFormat, {
        sort: { confirmed_at: -1 },
        projection: { _id: 0, basis: 1 },
      });
      if (newest === null) return;
      const options = { sort: { until: 1 }, limit: MAX_FOUND, batchSize: PAGE } as const;
      const unreadable: string[] = [];
      try {
        for await (const document of slicesOf(tenantId).find({ survey_id: surveyId, basis: newest.basis }, options)) {
          const slice = await open(document, decode);
          if (slice === undefined) unreadable.push(document._id);
          else yield slice;
        }
      } finally {
        if (unreadable.length > 0) {
          const fields = { tenant_id: tenantId, survey_id: surveyId, slices: unreadable.length };
          log.warn(fields, 'stored counts cannot be read, removing them');
          await slicesOf(tenantId).deleteMany({ survey_id: surveyId, _id: { $in: unreadable } });
        }
      }
    },

    /** Stores a slice. Replaces the slice with the same start. */
    async save({ tenantId, surveyId }: SurveyRef, slice: EncodedSlice): Promise<void> {
      const { since, until, basis, contentId, confirmation, counts } = slice;
      const fields = {
        survey_id: surveyId,
        since: since ?? null,
        until,
        basis,
        content_id: contentId,
        ...toFields(confirmation),
        counts: await envelope.encrypt(tenantId, aadOf(surveyId, slice), counts),
      };
      const id = `${tenantId}:${surveyId}:${since?.getTime() ?? ''}`;
      await slicesOf(tenantId).updateOne({ _id: id }, { $set: fields }, { upsert: true });
    },

    /** Stores a confirmation in slices. Returns the content ids of the slices that are still stored. */
    async confirm(
      { tenantId, surveyId }: SurveyRef,
      contentIds: readonly string[],
      confirmation: Confirmation,
    ): Promise<ReadonlySet<string>> {
      const filter = { survey_id: surveyId, content_id: { $in: [...contentIds] } };
      const { matchedCount } = await slicesOf(tenantId).updateMany(filter, { $set: toFields(confirmation) });
      if (matchedCount === contentIds.length) return new Set(contentIds);
      const projection = { content_id: 1 } as const;
      const found = slicesOf(tenantId).find<Pick<SliceDocument, 'content_id'>>(filter, { projection });
      return new Set((await found.toArray()).map(({ content_id }) => content_id));
    },

    async remove({ tenantId, surveyId }: SurveyRef, contentId: string): Promise<void> {
      await slicesOf(tenantId).deleteMany({ survey_id: surveyId, content_id: contentId });
    },

    /**
     * Removes all slices that overlap a time range, both limits included. Call it after a change of responses. Only
     * logs failures, because summaries check counts before they use them, and outdated slices expire.
     */
    async removeBetween({ tenantId, surveyId }: SurveyRef, from: Date, to: Date): Promise<void> {
      const overlapping = { until: { $gt: from }, $or: [{ since: null }, { since: { $lte: to } }] };
      try {
        await slicesOf(tenantId).deleteMany({ survey_id: surveyId, ...overlapping });
      } catch (error) {
        const fields = { err: error, tenant_id: tenantId, survey_id: surveyId };
        log.warn(fields, 'cannot remove stored counts of changed responses, they expire in a week');
      }
    },
  };
}

function isSliceDocument({ since, until, content_id, window, confirmed_at, counts }: SliceDocument): boolean {
  const { v, kv, iv, ct, tag } = { ...counts };
  return (
    (since === null || isDate(since)) &&
    isDate(until) &&
    typeof content_id === 'string' &&
    (window === null || typeof window === 'number') &&
    isDate(confirmed_at) &&
    typeof v === 'number' &&
    typeof kv === 'number' &&
    [iv, ct, tag].every((bytes) => bytes instanceof Binary)
  );
}

function isDate(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

function toFields({ window, at }: Confirmation): Pick<SliceDocument, 'window' | 'confirmed_at'> {
  return { window: window ?? null, confirmed_at: at };
}

function aadOf(surveyId: string, { since, until, basis }: Pick<EncodedSlice, 'since' | 'until' | 'basis'>) {
  return [surveyId, 'count-slice', basis, since?.toISOString() ?? '', until.toISOString()];
}
