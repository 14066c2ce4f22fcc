import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { parseOwnObject } from '@survey/runtime/json/parse-json';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { Link, LinkFields, SealedLink } from './link.ts';

/** Snapshot of a link under a slug. */
export interface LinkDocument {
  /** `<slug> <link id>`, because another link can get the same slug later. */
  readonly _id: string;
  readonly slug: string;
  /** The current slug of the link. `slug` can be a former one. Absent in documents of earlier releases. */
  readonly current_slug?: string;
  readonly tenant_id: TenantId;
  readonly link_id: string;
  readonly survey_id: string;
  readonly active: boolean;
  readonly expires_at: Date | null;
  readonly max_responses: number | null;
  readonly single_use: boolean;
  /** Key that verifies the tokens of a single-use link. */
  readonly token_key: EncryptedRecord | null;
  readonly password_hash: EncryptedRecord | null;
  /** Absent in documents of earlier releases. */
  readonly metadata?: EncryptedRecord | null;
  readonly revision: number;
  /** Start of the request to the survey service. */
  readonly observed_at: Date;
}

/** Selects snapshots of links with metadata. */
export const WITH_METADATA = { metadata: { $type: 'object' } } as const;

export const linkIndexes: IndexSpecs[string] = [
  { name: 'slug', key: { slug: 1, observed_at: -1 } },
  { name: 'link', key: { tenant_id: 1, link_id: 1 } },
  { name: 'metadata', key: { tenant_id: 1, survey_id: 1, link_id: 1 }, partialFilterExpression: WITH_METADATA },
];

export type LinkStore = ReturnType<typeof createLinkStore>;

/** Stores snapshots of links, for outages of the survey service. */
export function createLinkStore(collection: Collection<LinkDocument>) {
  const links = systemScope(collection);
  return {
    async find(slug: string): Promise<SealedLink | undefined> {
      const document = await links.findOne({ slug }, { sort: { observed_at: -1 }, maxTimeMS: 5_000 });
      return document === null ? undefined : fromDocument(document);
    },

    /** Finds the latest snapshot of a link by its id. */
    async findLast(tenantId: TenantId, linkId: string): Promise<SealedLink | undefined> {
      // A link whose slug has changed has several snapshots.
      const last = { sort: { revision: -1, observed_at: -1 } } as const;
      const document = await tenantCollection(collection, tenantId).findOne({ link_id: linkId }, last);
      return document === null ? undefined : fromDocument(document);
    },

    /** See `SnapshotStore`. */
    async save(link: SealedLink, observedAt: Date): Promise<void> {
      const { slug, id } = link;
      const filter = { _id: `${slug} ${id}`, observed_at: { $lte: observedAt } };
      try {
        // Do not insert inactive links: their tenant may have been erased already.
        await links.replaceOne(filter, toDocument(link, observedAt), { upsert: link.active });
      } catch (error) {
        // The stored snapshot is newer.
        if (!isDuplicateKey(error)) throw error;
      }
      // Deactivate other links that had this slug before.
      const before = { slug, link_id: { $ne: id }, observed_at: { $lt: observedAt }, active: true };
      await links.updateMany(before, { $set: INACTIVE });
    },
  };
}

/** The fields of a snapshot whose link is deleted, or has another slug. */
export const INACTIVE = { active: false, token_key: null, password_hash: null, metadata: null };

function toDocument(link: SealedLink, observedAt: Date): Omit<LinkDocument, '_id'> {
  return {
    slug: link.slug,
    current_slug: link.currentSlug,
    tenant_id: link.tenantId,
    link_id: link.id,
    survey_id: link.surveyId,
    active: link.active,
    expires_at: link.expiresAt ?? null,
    max_responses: link.maxResponses ?? null,
    single_use: link.singleUse,
    token_key: link.tokenKey ?? null,
    password_hash: link.passwordHash ?? null,
    metadata: link.metadata ?? null,
    revision: link.revision,
    observed_at: observedAt,
  };
}

function fromDocument(document: LinkDocument): SealedLink {
  return {
    id: document.link_id,
    slug: document.slug,
    currentSlug: document.current_slug ?? document.slug,
    tenantId: document.tenant_id,
    surveyId: document.survey_id,
    active: document.active,
    expiresAt: document.expires_at ?? undefined,
    maxResponses: document.max_responses ?? undefined,
    singleUse: document.single_use,
    tokenKey: document.token_key ?? undefined,
    passwordHash: document.password_hash ?? undefined,
    metadata: document.metadata ?? undefined,
    revision: document.revision,
  };
}

export type LinkSealer = ReturnType<typeof createLinkSealer>;

/** Encrypts the secrets and metadata of links. Each ciphertext is bound to its tenant, link and field. */
export function createLinkSealer(envelope: Envelope) {
  async function seal(link: LinkFields, field: string, secret: Uint8Array | undefined) {
    return secret && (await envelope.encrypt(link.tenantId, aadOf(link, field), secret));
  }

  async function open(link: LinkFields, field: string, record: EncryptedRecord | undefined) {
    return record && (await envelope.decrypt(link.tenantId, aadOf(link, field), record));
  }

  async function openMetadata({ metadata, ...fields }: SealedLink): Promise<JsonObject | undefined> {
    const bytes = await open(fields, 'metadata', metadata);
    return bytes && parseOwnObject(Buffer.from(bytes).toString());
  }

  return {
    openMetadata,

    async seal({ tokenKey, passwordHash, metadata, ...fields }: Link): Promise<SealedLink> {
      return {
        ...fields,
        tokenKey: await seal(fields, 'token_key', tokenKey),
        passwordHash: await seal(
          fields,
          'password_hash',
          passwordHash === undefined ? undefined : toBytes(passwordHash),
        ),
        metadata: await seal(fields, 'metadata', metadata && toBytes(JSON.stringify(metadata))),
      };
    },

    async open(link: SealedLink): Promise<Link> {
      const { tokenKey, passwordHash, ...fields } = link;
      const hash = await open(fields, 'password_hash', passwordHash);
      return {
        ...fields,
        tokenKey: await open(fields, 'token_key', tokenKey),
        passwordHash: hash && Buffer.from(hash).toString(),
        metadata: await openMetadata(link),
      };
    },
  };
}

function aadOf({ id }: LinkFields, field: string): readonly string[] {
  return ['link', id, field];
}

function toBytes(text: string): Uint8Array {
  return Buffer.from(text);
}
