import { randomUUID } from 'node:crypto';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { DecryptionError } from '@survey/runtime/crypto/decryption-error';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';

/** The encrypted counts of the responses to a survey in a time range, by the time of storage. */
export interface SliceDocument {
  /** `<tenant id>:<survey id>:<start of the range in ms>` */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly survey_id: string;
  /** Null if the range has no start. */
  readonly since: Date | null;
  readonly until: Date;
  /** Format of the counts, and the versions that were counted. */
  readonly basis: string;
  /** Changes whenever the counts are replaced. */
  readonly content_id: string;
  /** The last write window when the counts were confirmed; null if it was open. */
  readonly window: number | null;
  /** Time when the counts were last compared with the responses. */
  readonly confirmed_at: Date;
  readonly counts: EncryptedRecord;
}

/** When counts were last compared with the responses. */
export interface Confirmation {
  /** The last write window; undefined if it was open. */
  readonly window: number | undefined;
  readonly at: Date;
}

/** Counts of a time slice, without encryption. */
export interface StoredSlice {
  readonly since: Date | undefined;
  readonly until: Date;
  readonly basis: string;
  readonly confirmation: Confirmation;
  /** At most `MAX_SLICE_BYTES`. */
  readonly counts: Uint8Array;
}

export type FoundSlice = StoredSlice & { readonly contentId: string };

/** Identifies a survey. */
interface Owner {
  readonly tenantId: TenantId;
  readonly surveyId: string;
}

/** Stores counts of time slices. Counts reveal answers if few responses are counted, so they are encrypted like answers. */
export interface SliceStore {
  /** Finds the readable slices of a survey by their ends. They can overlap, and their counts can be outdated. */
  find(survey: Owner): Promise<readonly FoundSlice[]>;
  /** Stores a slice, and returns its content id. Replaces the slice with the same start. */
  save(survey: Owner, slice: StoredSlice): Promise<string>;
  /** Keeps these slices, unless they were replaced or removed. */
  confirm(survey: Owner, contentIds: readonly string[], confirmation: Confirmation): Promise<void>;
  /** Removes a slice, unless it was replaced. */
  remove(survey: Owner, contentId: string): Promise<void>;
  /** Removes all slices that overlap a range of times. Both limits are included. Call it after the responses changed. */
  removeBetween(survey: Owner, from: Date, to: Date): Promise<void>;
}

interface Dependencies {
  readonly collection: Collection<SliceDocument>;
  readonly envelope: Pick<Envelope, 'encrypt' | 'decrypt'>;
}

export const MAX_SLICE_BYTES = 1024 * 1024;
/** Slices that no summary confirmed for this time are deleted, so outdated counts of killed processes do not remain. */
const KEPT_SECONDS = 7 * 24 * 60 * 60;
/** Limits of `find`: enough for 40 million responses. */
const MAX_FOUND = 4_000;
const MAX_FOUND_BYTES = 64 * 1024 * 1024;

export const sliceIndexes: IndexSpecs[string] = [
  { name: 'by_survey', key: { tenant_id: 1, survey_id: 1, until: 1, since: 1 } },
  { name: 'expiry', key: { confirmed_at: 1 }, expireAfterSeconds: KEPT_SECONDS },
];

export function createSliceStore({ collection, envelope }: Dependencies): SliceStore {
  const slicesOf = (tenantId: TenantId) => tenantCollection(collection, tenantId);

  async function open(document: SliceDocument): Promise<FoundSlice | undefined> {
    const { tenant_id: tenantId, survey_id: surveyId, since, until, basis, confirmed_at: at } = document;
    const aad = aadOf(surveyId, { since: since ?? undefined, until, basis });
    try {
      const counts = await envelope.decrypt(tenantId, aad, document.counts);
      const confirmation = { window: document.window ?? undefined, at };
      return { since: since ?? undefined, until, basis, confirmation, counts, contentId: document.content_id };
    } catch (error) {
      if (error instanceof DecryptionError) return undefined;
      throw error;
    }
  }

  return {
    async find({ tenantId, surveyId }) {
      const found: FoundSlice[] = [];
      let bytes = 0;
      const options = { sort: { until: 1 }, limit: MAX_FOUND } as const;
      for await (const document of slicesOf(tenantId).find({ survey_id: surveyId }, options)) {
        bytes += document.counts.ct.length();
        if (bytes > MAX_FOUND_BYTES) break;
        const slice = await open(document);
        if (slice !== undefined) found.push(slice);
      }
      return found;
    },

    async save({ tenantId, surveyId }, slice) {
      const { since, until, basis, confirmation, counts } = slice;
      const contentId = randomUUID();
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
      return contentId;
    },

    async confirm({ tenantId, surveyId }, contentIds, confirmation) {
      const confirmed = { survey_id: surveyId, content_id: { $in: [...contentIds] } };
      await slicesOf(tenantId).updateMany(confirmed, { $set: toFields(confirmation) });
    },

    async remove({ tenantId, surveyId }, contentId) {
      await slicesOf(tenantId).deleteMany({ survey_id: surveyId, content_id: contentId });
    },

    async removeBetween({ tenantId, surveyId }, from, to) {
      const overlapping = { until: { $gt: from }, $or: [{ since: null }, { since: { $lte: to } }] };
      await slicesOf(tenantId).deleteMany({ survey_id: surveyId, ...overlapping });
    },
  };
}

function toFields({ window, at }: Confirmation): Pick<SliceDocument, 'window' | 'confirmed_at'> {
  return { window: window ?? null, confirmed_at: at };
}

function aadOf(surveyId: string, { since, until, basis }: Pick<StoredSlice, 'since' | 'until' | 'basis'>) {
  return [surveyId, 'count-slice', basis, since?.toISOString() ?? '', until.toISOString()];
}
