import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { AppError } from '@survey/runtime/errors/app-error';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { replaceWithTombstone } from '@survey/runtime/kafka/tombstone';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { insertOnce } from '@survey/runtime/mongo/insert-once';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { findPage } from '@survey/runtime/mongo/page';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { Link } from './link.ts';
import type { LinkStore } from './link-service.ts';

export interface LinkDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly survey_id: string;
  readonly slug: string;
  readonly active: boolean;
  readonly expires_at: Date | null;
  readonly max_responses: number | null;
  readonly token_key: EncryptedRecord | null;
  readonly token_batch: string | null;
  readonly password_hash: EncryptedRecord | null;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly created_by: string;
  readonly updated_by: string;
  readonly outbox: readonly OutboxEvent[];
}

export const linkIndexes: IndexSpecs[string] = [
  // Sparse: the tombstone of a deleted link has no slug, so the slug is free immediately.
  { name: 'slug', key: { slug: 1 }, unique: true, sparse: true },
  { name: 'newest_first', key: { tenant_id: 1, survey_id: 1, created_at: -1, _id: -1 } },
];

interface Dependencies {
  readonly collection: Collection<LinkDocument>;
  /** Called after each write with an event. */
  readonly onEvent: () => void;
}

export function createLinkStore({ collection, onEvent }: Dependencies): LinkStore {
  const linksOf = (tenantId: TenantId) => tenantCollection(collection, tenantId);

  return {
    async insert(link, event) {
      const { id, surveyId, createdAt, createdBy } = link;
      const document = {
        _id: id,
        survey_id: surveyId,
        created_at: createdAt,
        created_by: createdBy,
        ...toFields(link),
      };
      const stored = await reportTakenSlug(insertOnce(linksOf(link.tenantId), { ...document, outbox: [event] }));
      onEvent();
      return fromDocument(stored);
    },

    async find(tenantId, id) {
      const document = await linksOf(tenantId).findOne({ _id: id });
      return document === null ? undefined : fromDocument(document);
    },

    async list(tenantId, surveyId, query) {
      const { items, ...rest } = await findPage(linksOf(tenantId), { survey_id: surveyId }, query);
      return { items: items.map(fromDocument), ...rest };
    },

    async replace(before, after, event) {
      const update = { $set: toFields(after), $push: { outbox: event } };
      const { matchedCount } = await reportTakenSlug(linksOf(before.tenantId).updateOne(atRevision(before), update));
      onEvent();
      return matchedCount === 1;
    },

    async remove(link, event) {
      const isDone = await replaceWithTombstone(collection, link.tenantId, atRevision(link), [event]);
      onEvent();
      return isDone;
    },

    async findBySlug(slug) {
      const document = await systemScope(collection).findOne({ slug }, { maxTimeMS: 2_000 });
      return document === null ? undefined : fromDocument(document);
    },
  };
}

/** Throws `SLUG_TAKEN` for a duplicate slug. Keeps the error for a duplicate id, for example of a tombstone. */
async function reportTakenSlug<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isDuplicateKey(error, 'slug')) throw error;
    const problem = { path: '/slug', code: 'SLUG_TAKEN', detail: 'Another link already has this slug' };
    throw new AppError('SLUG_TAKEN', { errors: [problem], cause: error });
  }
}

function atRevision({ id, revision }: Link) {
  return { _id: id, revision };
}

/** The mutable fields of a link, and its token key. */
function toFields(link: Link) {
  return {
    slug: link.slug,
    active: link.active,
    expires_at: link.expiresAt ?? null,
    max_responses: link.maxResponses ?? null,
    token_key: link.tokenKey ?? null,
    token_batch: link.tokenBatch ?? null,
    password_hash: link.passwordHash ?? null,
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
    active: document.active,
    expiresAt: document.expires_at ?? undefined,
    maxResponses: document.max_responses ?? undefined,
    tokenKey: document.token_key ?? undefined,
    tokenBatch: document.token_batch ?? undefined,
    passwordHash: document.password_hash ?? undefined,
    revision: document.revision,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    createdBy: document.created_by,
    updatedBy: document.updated_by,
  };
}
