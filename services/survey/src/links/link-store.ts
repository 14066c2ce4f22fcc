import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { type OutboxEvent, replaceWithTombstone } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { inTransaction } from '@survey/runtime/mongo/in-transaction';
import { insertOnce } from '@survey/runtime/mongo/insert-once';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { findPage, type Page, type PageQuery } from '@survey/runtime/mongo/page';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { ClientSession, Collection, MongoClient } from 'mongodb';
import type { Link } from './link.ts';
import { isChosen, type SlugStore, slugTaken } from './slug-store.ts';

export interface LinkDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly survey_id: string;
  readonly slug: string;
  /** Absent in documents of earlier releases: see `isChosen`. */
  readonly slug_chosen?: boolean;
  readonly active: boolean;
  readonly expires_at: Date | null;
  readonly max_responses: number | null;
  readonly token_key: EncryptedRecord | null;
  readonly token_batch: string | null;
  readonly password_hash: EncryptedRecord | null;
  /** Absent in documents of earlier releases. */
  readonly metadata?: EncryptedRecord | null;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly created_by: string;
  readonly updated_by: string;
  /** Events that are not published to Kafka yet. They are stored with the change that they report. */
  readonly outbox: readonly OutboxEvent[];
}

export const linkIndexes: IndexSpecs[string] = [
  // Sparse, because the tombstone of a deleted link has no slug.
  { name: 'slug', key: { slug: 1 }, unique: true, sparse: true },
  { name: 'newest_first', key: { tenant_id: 1, survey_id: 1, created_at: -1, _id: -1 } },
];

interface Dependencies {
  readonly collection: Collection<LinkDocument>;
  readonly slugs: SlugStore;
  readonly client: MongoClient;
  /** Called after each write that may have stored an event. */
  readonly onEvent: () => void;
}

export type LinkStore = ReturnType<typeof createLinkStore>;

/** Stores links. Each write includes its event. */
export function createLinkStore({ collection, slugs, client, onEvent }: Dependencies) {
  const linksOf = (tenantId: TenantId) => tenantCollection(collection, tenantId);

  async function find(tenantId: TenantId, id: string): Promise<Link | undefined> {
    const document = await linksOf(tenantId).findOne({ _id: id });
    return document === null ? undefined : fromDocument(document);
  }

  /**
   * Stores a link with a chosen slug. Throws `SLUG_TAKEN` if the slug is reserved for another tenant, and the error of
   * the driver if another link has it.
   *
   * @param write resolves to false if it stores nothing. The reservation of the slug then stays
   */
  function withSlug<T>({ tenantId, slug }: Link, write: (session: ClientSession) => Promise<T>): Promise<T> {
    return inTransaction(client, async (session) => {
      // Write the link first: if its slug is in use, this fails before `take` locks the reservation.
      const result = await write(session);
      if (result !== false) await slugs.take(tenantId, slug, session);
      return result;
    });
  }

  return {
    /** Returns the link, or the existing one with this id. Throws `SLUG_TAKEN`. */
    async insert(link: Link, event: OutboxEvent): Promise<Link> {
      const { id, surveyId, createdAt, createdBy } = link;
      const document = {
        _id: id,
        survey_id: surveyId,
        created_at: createdAt,
        created_by: createdBy,
        ...toFields(link),
        outbox: [event],
      };
      const links = linksOf(link.tenantId);
      // A generated slug has 80 random bits, so it is not reserved.
      const insertChosen = () => withSlug(link, (session) => links.insertOne(document, { session }));
      const stored = await reportTakenSlug(insertOnce(links, document, link.isSlugChosen ? insertChosen : undefined));
      onEvent();
      return fromDocument(stored);
    },

    find,

    /** Returns the ids of those links that exist. */
    async findExisting(tenantId: TenantId, ids: readonly string[]): Promise<readonly string[]> {
      const options = { projection: { _id: 1 }, maxTimeMS: 5_000 };
      const found = linksOf(tenantId).find<{ _id: string }>({ _id: { $in: [...ids] } }, options);
      return (await found.toArray()).map(({ _id }) => _id);
    },

    async list(tenantId: TenantId, surveyId: string, query: PageQuery): Promise<Page<Link>> {
      const { items, ...rest } = await findPage(linksOf(tenantId), { survey_id: surveyId }, query);
      return { items: items.map(fromDocument), ...rest };
    },

    /** Returns false when the revision has changed. Throws `SLUG_TAKEN`. */
    async replace(before: Link, after: Link, event: OutboxEvent): Promise<boolean> {
      const update = { $set: toFields(after), $push: { outbox: event } };
      const links = linksOf(before.tenantId);
      const write = async (session?: ClientSession) => {
        const { matchedCount } = await links.updateOne(atRevision(before), update, session && { session });
        return matchedCount === 1;
      };
      const isRenamed = before.slug !== after.slug;
      // A former slug leads to the renamed link, so reserve it even if it was generated.
      if (isRenamed) await slugs.reserve(before.tenantId, [{ slug: before.slug, linkId: before.id }]);
      const isDone = await (isRenamed ? reportTakenSlug(withSlug(after, write)) : write());
      onEvent();
      return isDone;
    },

    /** Returns false when the revision has changed. */
    async remove(link: Link, event: OutboxEvent): Promise<boolean> {
      if (link.isSlugChosen) await slugs.reserve(link.tenantId, [{ slug: link.slug, linkId: link.id }]);
      const isDone = await replaceWithTombstone(collection, link.tenantId, atRevision(link), [event]);
      onEvent();
      return isDone;
    },

    /** Finds a link of any tenant by its slug, or by a former slug in the 90 days after a rename. */
    async findBySlug(slug: string): Promise<Link | undefined> {
      // A respondent waits for this read, so its timeout is short.
      const document = await systemScope(collection).findOne({ slug }, { maxTimeMS: 2_000 });
      if (document !== null) return fromDocument(document);
      const renamed = await slugs.findFormerLink(slug);
      return renamed && find(renamed.tenantId, renamed.linkId);
    },
  };
}

/** Throws `SLUG_TAKEN` for a duplicate slug. Rethrows other errors, such as a duplicate id. */
async function reportTakenSlug<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isDuplicateKey(error, 'slug')) throw error;
    throw slugTaken(error);
  }
}

function atRevision({ id, revision }: Link) {
  return { _id: id, revision };
}

/** The mutable fields of a link, and its token key. */
function toFields(link: Link) {
  return {
    slug: link.slug,
    slug_chosen: link.isSlugChosen,
    active: link.active,
    expires_at: link.expiresAt ?? null,
    max_responses: link.maxResponses ?? null,
    token_key: link.sealedTokenKey ?? null,
    token_batch: link.tokenBatch ?? null,
    password_hash: link.sealedPasswordHash ?? null,
    metadata: link.sealedMetadata ?? null,
    revision: link.revision,
    updated_at: link.updatedAt,
    updated_by: link.updatedBy,
  };
}

function fromDocument(document: LinkDocument): Link {
  return {
    id: document._id,
    tenantId: document.tenant_id,
    surveyId: document.survey_id,
    slug: document.slug,
    isSlugChosen: isChosen(document),
    active: document.active,
    expiresAt: document.expires_at ?? undefined,
    maxResponses: document.max_responses ?? undefined,
    sealedTokenKey: document.token_key ?? undefined,
    tokenBatch: document.token_batch ?? undefined,
    sealedPasswordHash: document.password_hash ?? undefined,
    sealedMetadata: document.metadata ?? undefined,
    revision: document.revision,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    createdBy: document.created_by,
    updatedBy: document.updated_by,
  };
}
