import { isLinkToken } from '@survey/runtime/auth/link-token';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError, type AppErrorOptions } from '@survey/runtime/errors/app-error';
import type { Reason } from '@survey/runtime/errors/reasons';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import type { Logger } from 'pino';
import { createSnapshots, type SnapshotStore } from '../snapshots/snapshots.ts';
import { isSameLink, type Link, type LinkHead, linkRefusalOf, type SealedLink, toDeleted } from './link.ts';
import type { LinkPasses } from './link-pass.ts';
import type { LinkSealer } from './link-sealer.ts';
import type { GuessPassword } from './password-guesses.ts';
import type { Visitor } from './visitor.ts';

/** The link as it is now, undefined when there is none. */
export type LinkSource = (slug: string, known: Link | undefined) => Promise<Link | undefined>;

/** The slug of a link of the tenant now, undefined when the link is deleted. */
export type FindSlug = (tenantId: TenantId, linkId: string) => Promise<string | undefined>;

/** Where snapshots of links outlive the process. */
export interface LinkStore extends SnapshotStore<SealedLink> {
  /** A link of the tenant as it was last; undefined when it is not among the snapshots. */
  findLast(tenantId: TenantId, linkId: string): Promise<SealedLink | undefined>;
}

/** What became of a visit. */
export type Visit = Admission | Refusal;

interface Admission {
  readonly outcome: 'admitted';
  readonly link: Link;
  /** The token that was given, of a single-use link. */
  readonly token: string | undefined;
  /** What to send in `Link-Token` from now on, in place of the password that was given. */
  readonly linkToken?: string;
}

interface Refusal {
  readonly outcome: 'refused';
  readonly link: Link;
  readonly token: string | undefined;
  readonly error: AppError;
}

interface Dependencies {
  readonly store: LinkStore;
  readonly sealer: LinkSealer;
  readonly source: LinkSource;
  readonly findSlug: FindSlug;
  readonly tenants: Pick<FollowedTenants, 'statusOf'>;
  readonly passes: LinkPasses;
  readonly guessPassword: GuessPassword;
  readonly log: Logger;
  readonly clock: () => Date;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

/** Links in memory. */
const CAPACITY = 50_000;
/** What a slug may be made of: others are asked of nobody. */
const SLUG = /^[a-z0-9-]{1,64}$/;

export type LinkService = ReturnType<typeof createLinkService>;

/**
 * Links, at most a second old while the survey service answers. While it does not, the last snapshots serve, after a
 * restart too.
 */
export function createLinkService(dependencies: Dependencies) {
  const { store, sealer, source, findSlug, tenants, passes, guessPassword, log, clock, now } = dependencies;
  const links = createSnapshots<Link>({
    store: {
      async find(slug) {
        const sealed = await store.find(slug);
        return sealed && sealer.open(sealed);
      },
      save: async (link, observedAt) => store.save(await sealer.seal(link), observedAt),
    },
    source,
    isSame: isSameLink,
    toGone: toDeleted,
    tenants,
    sizeOf: () => 1,
    capacity: CAPACITY,
    log,
    clock,
    now,
  });

  async function find(slug: string, suffices: () => boolean): Promise<Link> {
    const found = SLUG.test(slug) ? await links.find(slug, suffices) : undefined;
    if (found === undefined) throw new AppError('LINK_NOT_FOUND');
    return found;
  }

  async function judge(link: Link, { client, password, tokens }: Visitor): Promise<Visit> {
    const { singleUse, tokenKey, passwordHash } = link;
    const token = tokenKey && tokens.find((one) => isLinkToken(tokenKey, one));
    const admitted = { outcome: 'admitted', link, token } as const;
    const refused = (reason: Reason, options?: AppErrorOptions): Refusal => ({
      outcome: 'refused',
      link,
      token,
      error: new AppError(reason, options),
    });
    const refusal = linkRefusalOf(link, clock());
    if (refusal !== undefined) return refused(refusal);
    if (singleUse && token === undefined) return refused('LINK_TOKEN_WRONG');
    if (passwordHash === undefined) return admitted;

    const locked = { ...link, passwordHash };
    const known = await Promise.all(tokens.map((one) => passes.isPass(locked, one)));
    if (known.includes(true)) return admitted;
    const guess = password === undefined ? 'wrong' : await guessPassword(locked, { client, password });
    if (guess === 'wrong') return refused('LINK_PASSWORD_WRONG');
    if (guess !== 'right') return refused('TOO_MANY_REQUESTS', guess);
    const pass = await passes.issue(locked);
    return { ...admitted, linkToken: token === undefined ? pass : `${token}, ${pass}` };
  }

  /** The link under its present slug. Gives the known one when it is deleted, or when nothing newer can be read. */
  async function findRenamed(tenantId: TenantId, linkId: string, known: Link | undefined): Promise<Link | undefined> {
    try {
      const slug = await findSlug(tenantId, linkId);
      const found = slug === undefined ? undefined : await links.find(slug, () => false);
      return found?.id === linkId ? found : known;
    } catch (error) {
      if (known === undefined) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
      log.warn({ err: error }, 'the slug of a link could not be read, its last snapshot serves');
      return known;
    }
  }

  return {
    /** Lets a visitor in, or not. Throws `LINK_NOT_FOUND` when there is no such link and never was. */
    async visit(slug: string, visitor: Visitor): Promise<Visit> {
      const link = await find(slug, () => true);
      const visit = await judge(link, visitor);
      if (visit.outcome === 'admitted') return visit;
      // A refusal is made from nothing but fresh knowledge.
      const fresh = await find(slug, () => false);
      return isSameLink(link, fresh) ? visit : judge(fresh, visitor);
    },

    /**
     * The link that a response was begun through. Throws `LINK_NOT_FOUND` when it is switched off or deleted, and
     * `LINK_EXPIRED`.
     */
    async findOpen(tenantId: TenantId, linkId: string): Promise<LinkHead> {
      const isOpen = (link: LinkHead) => link.id === linkId && linkRefusalOf(link, clock()) === undefined;
      const last = await store.findLast(tenantId, linkId);
      const found = last && (await links.find(last.slug, isOpen));
      if (found !== undefined && isOpen(found)) return found;
      const link = await findRenamed(tenantId, linkId, found?.id === linkId ? found : undefined);
      if (link === undefined) throw new AppError('LINK_NOT_FOUND');
      const refusal = linkRefusalOf(link, clock());
      if (refusal !== undefined) throw new AppError(refusal);
      return link;
    },
  };
}
