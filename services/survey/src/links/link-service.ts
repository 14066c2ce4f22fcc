import type { Actor } from '@survey/runtime/auth/actor';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import { changeLatest, changesNothing, type Edit } from '@survey/runtime/rpc/change-latest';
import { FIRST_REVISION } from '@survey/runtime/rpc/if-match';
import { type Link, makeSlug } from './link.ts';
import { linkEvent } from './link-events.ts';
import type { LinkSecrets, OpenedSecrets } from './link-secrets.ts';

/** Where links are kept. An event goes in with the write that it tells of. */
export interface LinkStore {
  /** Gives the link; where the id came before, the one that was stored then. Throws `SLUG_TAKEN`. */
  insert(link: Link, event: OutboxEvent): Promise<Link>;
  find(tenantId: TenantId, id: string): Promise<Link | undefined>;
  list(tenantId: TenantId, surveyId: string, query: PageQuery): Promise<Page<Link>>;
  /** False when the link is not as it was before. Throws `SLUG_TAKEN`. */
  replace(before: Link, after: Link, event: OutboxEvent): Promise<boolean>;
  /** False when the link is not as it was. */
  remove(link: Link, event: OutboxEvent): Promise<boolean>;
  /** A link of whichever tenant. */
  findBySlug(slug: string): Promise<Link | undefined>;
}

export interface NewLink {
  /** One is made when it is absent. */
  readonly slug: string | undefined;
  readonly active: boolean;
  readonly expiresAt: Date | undefined;
  readonly maxResponses: number | undefined;
  readonly singleUse: boolean;
  /** How many tokens to make; one when it is absent. */
  readonly tokenCount: number | undefined;
  readonly password: string | undefined;
}

/** What is to change of a link. A member that is there and undefined is cleared. */
export interface LinkChange {
  readonly slug?: string;
  readonly active?: boolean;
  readonly expiresAt?: Date | undefined;
  readonly maxResponses?: number | undefined;
  readonly password?: string | undefined;
}

interface Dependencies {
  readonly store: LinkStore;
  readonly secrets: LinkSecrets;
  /** Throws `SURVEY_NOT_FOUND` for a survey that is deleted, or none of the tenant's. */
  readonly surveys: { get(tenantId: TenantId, id: string): Promise<unknown> };
  readonly clock: () => Date;
  readonly randomBytes: (size: number) => Uint8Array;
}

export type LinkService = ReturnType<typeof createLinkService>;

export function createLinkService({ store, secrets, surveys, clock, randomBytes }: Dependencies) {
  async function get(tenantId: TenantId, id: string): Promise<Link> {
    return demand(await store.find(tenantId, id));
  }

  function changed(before: Link, { actor }: Actor, change: Partial<Link>): Link {
    return { ...before, ...change, revision: before.revision + 1, updatedAt: clock(), updatedBy: actor };
  }

  async function toNewLink(by: Actor, id: string, surveyId: string, given: NewLink): Promise<Link> {
    const { tenantId, actor } = by;
    const { slug = makeSlug(randomBytes), active, expiresAt, maxResponses, singleUse, password } = given;
    const time = clock();
    return {
      id,
      tenantId,
      surveyId,
      slug,
      active,
      expiresAt,
      maxResponses,
      tokenKey: singleUse ? await secrets.makeTokenKey(tenantId, id) : undefined,
      tokenBatch: undefined,
      passwordHash: password === undefined ? undefined : await secrets.hashPassword(tenantId, id, password),
      revision: FIRST_REVISION,
      createdAt: time,
      updatedAt: time,
      createdBy: actor,
      updatedBy: actor,
    };
  }

  /**
   * What a change is in the terms of the record: a password, which takes its time, is hashed once. The hash is another
   * one also when the password is the old one: whoever came in by that has to give it again.
   */
  async function toFields(tenantId: TenantId, id: string, change: LinkChange): Promise<Partial<Link>> {
    const { password, ...fields } = change;
    if (!Object.hasOwn(change, 'password')) return fields;
    if (password === undefined) return { ...fields, passwordHash: undefined };
    await get(tenantId, id);
    return { ...fields, passwordHash: await secrets.hashPassword(tenantId, id, password) };
  }

  return {
    get,

    /** Makes a link under this id, with its first tokens; the second time it is the one of the first. */
    async create(by: Actor, id: string, surveyId: string, given: NewLink) {
      await surveys.get(by.tenantId, surveyId);
      checkNew(given, clock());
      const { singleUse, tokenCount = singleUse ? 1 : 0 } = given;
      const link = await toNewLink(by, id, surveyId, given);
      const stored = await store.insert(link, linkEvent(by, 'link.created', undefined, link, tokenCount));
      return { link: stored, tokens: await secrets.tokensOf(stored, id, tokenCount) };
    },

    async list(tenantId: TenantId, surveyId: string, query: PageQuery): Promise<Page<Link>> {
      await surveys.get(tenantId, surveyId);
      return store.list(tenantId, surveyId, query);
    },

    async change(edit: Edit, change: LinkChange): Promise<Link> {
      const { by, id } = edit;
      const fields = await toFields(by.tenantId, id, change);
      return changeLatest(edit, {
        read: () => get(by.tenantId, id),
        async write(before) {
          if (changesNothing(before, fields)) return before;
          const after = changed(before, by, fields);
          return (await store.replace(before, after, linkEvent(by, 'link.updated', before, after))) ? after : undefined;
        },
      });
    },

    async remove(edit: Edit): Promise<void> {
      const { by, id } = edit;
      await changeLatest(edit, {
        read: () => get(by.tenantId, id),
        async write(before) {
          const event = linkEvent(by, 'link.deleted', before, changed(before, by, {}));
          return (await store.remove(before, event)) || undefined;
        },
      });
    },

    /** More tokens for a single-use link. A batch that was made just before is the same tokens again. */
    createTokens(edit: Edit, batchId: string, count: number): Promise<readonly string[]> {
      const { by, id } = edit;
      return changeLatest(edit, {
        read: () => get(by.tenantId, id),
        async findMade(link) {
          return link.tokenBatch === batchId ? secrets.tokensOf(link, batchId, count) : undefined;
        },
        async write(before) {
          const tokens = await secrets.tokensOf(before, batchId, count);
          if (tokens.length === 0)
            throw new AppError('STATE_CONFLICT', { detail: 'Only a single-use link has tokens' });
          const after = changed(before, by, { tokenBatch: batchId });
          const event = linkEvent(by, 'link.tokens_created', before, after, count);
          return (await store.replace(before, after, event)) ? tokens : undefined;
        },
      });
    },

    /** For respondents, who name the slug alone. */
    async findPublic(slug: string): Promise<{ readonly link: Link; readonly opened: OpenedSecrets }> {
      const link = demand(await store.findBySlug(slug));
      return { link, opened: await secrets.open(link) };
    },
  };
}

function demand(link: Link | undefined): Link {
  if (link === undefined) throw new AppError('LINK_NOT_FOUND');
  return link;
}

function checkNew({ expiresAt, singleUse, tokenCount }: NewLink, time: Date): void {
  const errors: FieldProblem[] = [];
  if (expiresAt !== undefined && expiresAt <= time)
    errors.push({ path: '/expires_at', code: 'NOT_IN_FUTURE', detail: 'A link has to expire in the future' });
  if (tokenCount !== undefined && !singleUse)
    errors.push({ path: '/token_count', code: 'NOT_SINGLE_USE', detail: 'Only a single-use link has tokens' });
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}
