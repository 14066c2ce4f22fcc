import { createHash } from 'node:crypto';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { ClientSession, Collection } from 'mongodb';
import { GENERATED_SLUG } from './link.ts';
import type { LinkDocument } from './link-store.ts';

/**
 * Reserves a slug that a link of the tenant had. No other tenant can take the slug until the reservation ends. A slug
 * in use needs no reservation, because the links have a unique index.
 */
export interface ReservationDocument {
  /** Hash of the slug, because the reservation outlives an erased tenant, and must not contain its data. */
  readonly _id: string;
  /** Absent after the erasure of the tenant. */
  readonly tenant_id?: TenantId;
  /** The renamed or deleted link that had the slug. Absent after the erasure, and if the slug was taken again. */
  readonly link_id?: string;
  readonly until: Date;
}

export const reservationIndexes: IndexSpecs[string] = [
  { name: 'tenant', key: { tenant_id: 1, until: -1 } },
  { name: 'until', key: { until: 1 }, expireAfterSeconds: 0 },
];

/**
 * A slug that a link gives up because it is renamed or deleted. A deletion stores the link's id, too: if the deletion
 * fails because of a concurrent rename, the slug must still lead to the link.
 */
interface FreedSlug {
  readonly slug: string;
  readonly linkId: string;
}

interface Dependencies {
  readonly collection: Collection<ReservationDocument>;
  readonly links: Collection<LinkDocument>;
  readonly clock: () => Date;
}

const RESERVED_MS = 90 * 24 * 60 * 60_000;
/** Maximum number of reservations of a tenant. Older reservations are removed. */
const MAX_RESERVATIONS = 1_000;
/** The end of a reservation whose slug was taken. The index `until` deletes the reservation. */
const ENDED = new Date(0);
/** The default of `tenantCollection`. */
const MAX_TIME = { maxTimeMS: 10_000 } as const;

export type SlugStore = ReturnType<typeof createSlugStore>;

/** Stores reservations of slugs, so that no other tenant gets the address of a link that people still have. */
export function createSlugStore({ collection, links, clock }: Dependencies) {
  const reservations = systemScope(collection);

  /** Reserves slugs for 90 days. Call it before the links give them up, so that no other tenant takes them first. */
  async function reserve(tenantId: TenantId, slugs: readonly FreedSlug[]): Promise<void> {
    if (slugs.length === 0) return;
    const until = new Date(clock().getTime() + RESERVED_MS);
    const writes = slugs.map(({ slug, linkId }) => ({
      replaceOne: {
        filter: { _id: hashOf(slug) },
        replacement: { tenant_id: tenantId, until, link_id: linkId },
        upsert: true,
      },
    }));
    await reservations.bulkWrite(writes, { ordered: false });
    await removeOldest(tenantId);
  }

  async function removeOldest(tenantId: TenantId): Promise<void> {
    const ofTenant = { tenant_id: tenantId };
    const excess = (await reservations.countDocuments(ofTenant, MAX_TIME)) - MAX_RESERVATIONS;
    if (excess <= 0) return;
    const oldest = { sort: { until: 1 }, limit: excess, projection: { _id: 1 }, ...MAX_TIME } as const;
    const found = await reservations.find(ofTenant, oldest).toArray();
    await reservations.deleteMany({ ...ofTenant, _id: { $in: found.map(({ _id }) => _id) } });
  }

  return {
    reserve,

    /**
     * Takes a slug for a link of the tenant, in the transaction that stores the link. Throws `SLUG_TAKEN` if the slug
     * is reserved for another tenant. It always writes, to conflict with a concurrent reservation of the slug.
     */
    async take(tenantId: TenantId, slug: string, session: ClientSession): Promise<void> {
      const ifFree = { $or: [{ tenant_id: tenantId }, { until: { $lte: clock() } }] };
      const update = { $set: { tenant_id: tenantId, until: ENDED }, $unset: { link_id: true as const } };
      try {
        // If the slug is reserved for another tenant, the filter does not match, and the insertion fails by its id.
        await reservations.updateOne({ _id: hashOf(slug), ...ifFree }, update, { upsert: true, session });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw slugTaken(error);
      }
    },

    /** Finds the link that had a slug, if the slug is still reserved. The link may be deleted. */
    async findFormerLink(slug: string): Promise<{ readonly tenantId: TenantId; readonly linkId: string } | undefined> {
      // A respondent waits for this read, so its timeout is short.
      const found = await reservations.findOne({ _id: hashOf(slug), until: { $gt: clock() } }, { maxTimeMS: 2_000 });
      const { tenant_id: tenantId, link_id: linkId } = found ?? {};
      return tenantId === undefined || linkId === undefined ? undefined : { tenantId, linkId };
    },

    /** Reserves the chosen slugs of a tenant, and removes ids from its reservations. Call it before the erasure. */
    async reserveForErasure(tenantId: TenantId): Promise<void> {
      const newest = {
        sort: { created_at: -1 },
        limit: MAX_RESERVATIONS,
        projection: { slug: 1, slug_chosen: 1 },
      } as const;
      const found = await tenantCollection(links, tenantId).find(CHOSEN, newest).toArray();
      await reserve(tenantId, chosenSlugs(found));
      await reservations.updateMany({ tenant_id: tenantId }, { $unset: { tenant_id: true, link_id: true } });
    },
  };
}

/**
 * Whether a person chose the slug of a link. Links of earlier releases have no `slug_chosen`: their slug counts as
 * chosen if `makeSlug` cannot have made it.
 */
export function isChosen({ slug, slug_chosen: chosen }: Pick<LinkDocument, 'slug' | 'slug_chosen'>): boolean {
  return chosen === true || !GENERATED_SLUG.test(slug);
}

/** The filter for links with chosen slugs: see `isChosen`. */
const CHOSEN = { $or: [{ slug_chosen: true }, { slug: { $not: GENERATED_SLUG } }] };

/** The slugs to reserve when these links are deleted. */
export function chosenSlugs(
  links: readonly Pick<LinkDocument, '_id' | 'slug' | 'slug_chosen'>[],
): readonly FreedSlug[] {
  return links.filter(isChosen).map(({ _id: linkId, slug }) => ({ slug, linkId }));
}

export function slugTaken(cause: unknown): AppError {
  const detail = 'Another link has this slug, or had it in the last 90 days';
  return new AppError('SLUG_TAKEN', { errors: [{ path: '/slug', code: 'SLUG_TAKEN', detail }], cause });
}

function hashOf(slug: string): string {
  return createHash('sha256').update(slug).digest('base64url');
}
