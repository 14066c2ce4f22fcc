import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@bufbuild/protobuf';
import type { MetadataField } from '@survey/questionnaire/metadata/metadata-fields';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import { invitationIdOf } from '@survey/runtime/auth/link-token';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError, type FieldProblem, MAX_FIELD_PROBLEMS } from '@survey/runtime/errors/app-error';
import { mergePatch } from '@survey/runtime/json/merge-patch';
import { createProjection } from '@survey/runtime/json/projection';
import { auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import { changeLatest, changesNothing, type EditTarget, FIRST_REVISION } from '@survey/runtime/rpc/if-match';
import type { Invitation, StoreInvitations } from './invitation-client.ts';
import { type Link, makeSlug, readMetadata, sizeProblems } from './link.ts';
import type { LinkSecrets, OpenedSecrets } from './link-secrets.ts';
import type { LinkStore } from './link-store.ts';

export interface NewLink {
  /** Generated if undefined. */
  readonly slug: string | undefined;
  readonly active: boolean;
  readonly expiresAt: Date | undefined;
  readonly maxResponses: number | undefined;
  readonly singleUse: boolean;
  /** Number of tokens to create; by default 1 for a single-use link. */
  readonly tokenCount: number | undefined;
  readonly password: string | undefined;
  readonly metadata: JsonObject | undefined;
}

/** The changed members of a link. A member with the value undefined is cleared. */
export interface LinkChange {
  readonly slug?: string;
  readonly active?: boolean;
  readonly expiresAt?: Date | undefined;
  readonly maxResponses?: number | undefined;
  readonly password?: string | undefined;
  /** A merge patch. */
  readonly metadata?: JsonObject | undefined;
}

/** The tokens to create: a number of them, or one for each recipient. */
export interface NewTokens {
  /** Default: one for each recipient, or 1. */
  readonly count: number | undefined;
  /** The metadata of each recipient. */
  readonly recipients: readonly JsonObject[];
}

interface Dependencies {
  readonly store: LinkStore;
  readonly secrets: LinkSecrets;
  /** Throws `SURVEY_NOT_FOUND` for deleted and unknown surveys. */
  readonly surveys: {
    get(
      tenantId: TenantId,
      id: string,
    ): Promise<{ readonly settings: { readonly metadataFields: readonly MetadataField[] } }>;
  };
  readonly storeInvitations: StoreInvitations;
  readonly clock: () => Date;
  readonly randomBytes: (size: number) => Uint8Array;
}

export type LinkService = ReturnType<typeof createLinkService>;

/**
 * Manages the links to surveys. A single-use link has tokens, and each token admits one response. A batch of tokens is
 * derived from the key of the link and the id of the request, so a repeated request returns the same tokens.
 */
export function createLinkService(dependencies: Dependencies) {
  const { store, secrets, surveys, storeInvitations, clock, randomBytes } = dependencies;

  async function get(tenantId: TenantId, id: string): Promise<Link> {
    return requireLink(await store.find(tenantId, id));
  }

  function changed(before: Link, { actor }: ChangeContext, change: Partial<Link>): Link {
    return { ...before, ...change, revision: before.revision + 1, updatedAt: clock(), updatedBy: actor };
  }

  async function makeLink(context: ChangeContext, id: string, surveyId: string, newLink: NewLink): Promise<Link> {
    const { tenantId, actor } = context;
    const { slug = makeSlug(randomBytes), active, expiresAt, maxResponses, singleUse, password, metadata } = newLink;
    const time = clock();
    return {
      id,
      tenantId,
      surveyId,
      slug,
      isSlugChosen: newLink.slug !== undefined,
      active,
      expiresAt,
      maxResponses,
      sealedTokenKey: singleUse ? await secrets.makeTokenKey(tenantId, id) : undefined,
      tokenBatch: undefined,
      sealedPasswordHash: password === undefined ? undefined : await secrets.sealPassword(tenantId, id, password),
      sealedMetadata: metadata && (await secrets.sealMetadata(tenantId, id, metadata)),
      revision: FIRST_REVISION,
      createdAt: time,
      updatedAt: time,
      createdBy: actor,
      updatedBy: actor,
    };
  }

  async function insert(
    context: ChangeContext,
    id: string,
    surveyId: string,
    newLink: NewLink,
    tokenCount: number,
  ): Promise<Link> {
    const { settings } = await surveys.get(context.tenantId, surveyId);
    const metadata = checkNew(newLink, settings.metadataFields, clock());
    const link = await makeLink(context, id, surveyId, { ...newLink, metadata });
    return store.insert(link, linkEvent(context, 'link.created', undefined, link, tokenCount));
  }

  /**
   * Converts a change to fields of the record. Call it before `changeLatest`, whose retries must not repeat the slow
   * hashing. Even the same password gets a new hash. Access of respondents depends on the hash, so they must enter the
   * password again.
   */
  async function toFields(tenantId: TenantId, id: string, change: LinkChange): Promise<Partial<Link>> {
    const { password, metadata: _, ...fields } = change;
    if (!Object.hasOwn(change, 'password')) return fields;
    if (password === undefined) return { ...fields, sealedPasswordHash: undefined };
    // Do not hash the password for an unknown link.
    await get(tenantId, id);
    return { ...fields, sealedPasswordHash: await secrets.sealPassword(tenantId, id, password) };
  }

  /** Applies a merge patch to the metadata of a link. Returns the stored record if nothing changes. */
  async function patchMetadata(before: Link, patch: JsonObject | undefined): Promise<Link['sealedMetadata']> {
    if (patch === undefined) return undefined;
    const { id, tenantId, surveyId, sealedMetadata } = before;
    const { settings } = await surveys.get(tenantId, surveyId);
    const { metadata, problems } = readMetadata(settings.metadataFields, patch, 'link');
    const stored = (await secrets.openMetadata(before)) ?? {};
    // A merge patch of two objects is an object.
    const merged = mergePatch(stored, { ...patch, ...metadata }) as JsonObject;
    const errors = problems.length > 0 ? problems : sizeProblems(merged);
    if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
    return isDeepStrictEqual(merged, stored) ? sealedMetadata : secrets.sealMetadata(tenantId, id, merged);
  }

  /** Recipients without metadata have nothing to store. */
  async function storeRecipients(
    context: ChangeContext,
    link: Link,
    tokens: readonly string[],
    recipients: readonly JsonObject[],
  ): Promise<void> {
    const { settings } = await surveys.get(link.tenantId, link.surveyId);
    const read = recipients.map((given) => readMetadata(settings.metadataFields, given, 'token'));
    const errors: FieldProblem[] = read.flatMap(({ problems }, index) =>
      problems.map((problem) => ({ ...problem, path: `/recipients/${index}${problem.path}` })),
    );
    if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors: errors.slice(0, MAX_FIELD_PROBLEMS) });
    const invitations = tokens.flatMap((token, index): Invitation[] => {
      const { metadata = {} } = read[index] ?? {};
      return Object.keys(metadata).length === 0 ? [] : [{ id: invitationIdOf(token), metadata }];
    });
    if (invitations.length > 0) await storeInvitations(context, link, invitations);
  }

  return {
    get,
    metadataOf: secrets.openMetadata,

    /** Creates a link with its first tokens. Returns the existing link if the id exists. */
    async create(context: ChangeContext, id: string, surveyId: string, newLink: NewLink) {
      const { singleUse, tokenCount = singleUse ? 1 : 0 } = newLink;
      // A repeated request is not checked again, because its expiry can have passed.
      const link =
        (await store.find(context.tenantId, id)) ?? (await insert(context, id, surveyId, newLink, tokenCount));
      // The first batch of tokens has the id of the link.
      return { link, tokens: await secrets.deriveTokens(link, id, tokenCount) };
    },

    async list(tenantId: TenantId, surveyId: string, query: PageQuery): Promise<Page<Link>> {
      await surveys.get(tenantId, surveyId);
      return store.list(tenantId, surveyId, query);
    },

    async change(edit: EditTarget, change: LinkChange): Promise<Link> {
      const { context, id } = edit;
      const fields = await toFields(context.tenantId, id, change);
      return changeLatest(edit, {
        read: () => get(context.tenantId, id),
        async write(before) {
          const sealedMetadata = Object.hasOwn(change, 'metadata')
            ? await patchMetadata(before, change.metadata)
            : before.sealedMetadata;
          const next = { ...fields, sealedMetadata };
          if (changesNothing(before, next)) return before;
          const isSlugChosen = before.isSlugChosen || (fields.slug ?? before.slug) !== before.slug;
          const after = changed(before, context, { ...next, isSlugChosen });
          return (await store.replace(before, after, linkEvent(context, 'link.updated', before, after)))
            ? after
            : undefined;
        },
      });
    },

    async remove(edit: EditTarget): Promise<void> {
      const { context, id } = edit;
      await changeLatest(edit, {
        read: () => get(context.tenantId, id),
        async write(before) {
          const event = linkEvent(context, 'link.deleted', before, changed(before, context, {}));
          return (await store.remove(before, event)) ? before : undefined;
        },
      });
    },

    /** Returns those links of the tenant that exist. */
    findExisting: (tenantId: TenantId, ids: readonly string[]): Promise<readonly string[]> =>
      store.findExisting(tenantId, ids),

    /**
     * Creates tokens for a single-use link. Repeating the last batch returns the same tokens. Metadata of recipients is
     * stored before the link changes, so a failure leaves at most invitations whose tokens nobody has.
     */
    createTokens(edit: EditTarget, batchId: string, newTokens: NewTokens): Promise<readonly string[]> {
      const { context, id } = edit;
      const { recipients } = newTokens;
      if (newTokens.count !== undefined && recipients.length > 0) throw new AppError('VALIDATION_FAILED', COUNT_TOO);
      const count = newTokens.count ?? Math.max(1, recipients.length);
      return changeLatest(edit, {
        read: () => get(context.tenantId, id),
        async findApplied(link) {
          return link.tokenBatch === batchId ? secrets.deriveTokens(link, batchId, count) : undefined;
        },
        async write(before) {
          const tokens = await secrets.deriveTokens(before, batchId, count);
          if (tokens.length === 0)
            throw new AppError('STATE_CONFLICT', { detail: 'Only a single-use link can have tokens' });
          if (recipients.length > 0) await storeRecipients(context, before, tokens, recipients);
          const after = changed(before, context, { tokenBatch: batchId });
          const event = linkEvent(context, 'link.tokens_created', before, after, count);
          return (await store.replace(before, after, event)) ? tokens : undefined;
        },
      });
    },

    /** For respondents, who know only the slug, not the tenant. */
    async findPublic(slug: string): Promise<{ readonly link: Link; readonly opened: OpenedSecrets }> {
      const link = requireLink(await store.findBySlug(slug));
      return { link, opened: await secrets.open(link) };
    },
  };
}

const COUNT_TOO = {
  errors: [{ path: '/count', code: 'INVALID', detail: 'count cannot be combined with recipients' }],
};

function requireLink(link: Link | undefined): Link {
  if (link === undefined) throw new AppError('LINK_NOT_FOUND');
  return link;
}

/** Returns the metadata with converted values. Throws `VALIDATION_FAILED` with all errors. */
function checkNew(newLink: NewLink, fields: readonly MetadataField[], time: Date): JsonObject {
  const { expiresAt, singleUse, tokenCount } = newLink;
  const { metadata, problems } = readMetadata(fields, newLink.metadata ?? {}, 'link');
  const errors = [...problems];
  if (expiresAt !== undefined && expiresAt <= time)
    errors.push({ path: '/expires_at', code: 'NOT_IN_FUTURE', detail: 'expires_at must be in the future' });
  if (tokenCount !== undefined && !singleUse)
    errors.push({ path: '/token_count', code: 'NOT_SINGLE_USE', detail: 'Only a single-use link can have tokens' });
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return metadata;
}

type LinkAction = 'link.created' | 'link.updated' | 'link.deleted' | 'link.tokens_created';

/** The audit event of a change. `before` is undefined for a new link, `tokens` is the number of new tokens. */
export function linkEvent(
  context: ChangeContext,
  action: LinkAction,
  before: Link | undefined,
  after: Link,
  tokens = 0,
): OutboxEvent {
  return auditEvent({
    context,
    action,
    resourceType: 'link',
    resourceId: after.id,
    revision: after.revision,
    time: after.updatedAt,
    before: before === undefined ? {} : toAudited(before),
    after: action === 'link.deleted' ? {} : { ...toAudited(after), ...toSecretChanges(before, after, tokens) },
  });
}

/** Changes of secrets and metadata, without their values. */
function toSecretChanges(before: Link | undefined, after: Link, tokens: number): JsonObject {
  const hash = after.sealedPasswordHash;
  const isNewPassword = hash !== undefined && hash !== before?.sealedPasswordHash;
  const { sealedMetadata } = after;
  return {
    ...(isNewPassword ? { password: 'set' } : {}),
    ...(sealedMetadata !== undefined && sealedMetadata !== before?.sealedMetadata ? { metadata: 'set' } : {}),
    ...(tokens === 0 ? {} : { new_tokens: tokens }),
  };
}

const toAudited = createProjection<Omit<Link, CommonMember>>({
  surveyId: true,
  slug: true,
  active: true,
  expiresAt: true,
  maxResponses: true,
  sealedTokenKey: ['single_use', (key) => key !== undefined],
  sealedPasswordHash: ['has_password', (hash) => hash !== undefined],
  sealedMetadata: ['has_metadata', (metadata) => metadata !== undefined],
  isSlugChosen: false,
  // The event has the number of tokens instead.
  tokenBatch: false,
});
