import type { JsonObject } from '@bufbuild/protobuf';
import { isLinkToken } from '@survey/runtime/auth/link-token';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError, type AppErrorOptions } from '@survey/runtime/errors/app-error';
import type { ErrorCode } from '@survey/runtime/errors/error-codes';
import { clientKeyOf } from '@survey/runtime/flow/client-address';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import type { Logger } from 'pino';
import { type Clocks, createStopwatch } from '../stopwatch.ts';
import { type CompiledSurvey, checkOpen, checkOwnAddress } from './definition.ts';
import type { DefinitionService } from './definition-service.ts';
import type { InvitationStore } from './invitation-store.ts';
import { isSameLink, type Link, type LinkFields, linkRejectionOf, toDeleted } from './link.ts';
import type { LinkPasses } from './link-pass.ts';
import type { LinkSealer, LinkStore } from './link-store.ts';
import type { CheckGuess } from './password-guesses.ts';
import { createSnapshots, normalizedIdOrSlug } from './snapshots.ts';
import type { SurveyClient } from './survey-client.ts';

export type Visit = (Admission | Rejection) & {
  /** Milliseconds since the start of the visit. */
  ageMs(): number;
};

interface Admission {
  readonly outcome: 'admitted';
  readonly link: Link;
  /** The visitor's token of a single-use link. */
  readonly token: string | undefined;
  /** The `Link-Token` header for later requests: the token, if any, and a pass that replaces the password. */
  readonly linkTokenHeader?: string;
}

interface Rejection {
  readonly outcome: 'rejected';
  readonly link: Link;
  /** The visitor's token of a single-use link. It finds the response of an earlier request. */
  readonly token: string | undefined;
  readonly error: AppError;
}

/** Metadata that a response gets from others than its respondent. */
export interface GivenMetadata {
  readonly link?: JsonObject | undefined;
  /** Metadata of the recipient of a single-use token. */
  readonly token?: JsonObject | undefined;
}

/** A response, which came through a link or not. */
interface GivenTo {
  readonly tenantId: TenantId;
  readonly surveyId: string;
  readonly linkId: string | undefined;
  readonly invitationId: string | undefined;
}

type MetadataLink = Pick<Link, 'tenantId' | 'surveyId' | 'id' | 'metadata'>;

interface Dependencies extends Clocks {
  readonly store: LinkStore;
  readonly sealer: LinkSealer;
  readonly invitations: Pick<InvitationStore, 'findMetadata'>;
  readonly source: Pick<SurveyClient, 'findLink' | 'findSlug'>;
  readonly tenants: Pick<FollowedTenants, 'statusOf'>;
  readonly passes: LinkPasses;
  readonly checkGuess: CheckGuess;
  readonly log: Logger;
}

/** Maximum size of the cache: the number of links without metadata. */
const CAPACITY = 50_000;
/** Characters of metadata that count like a link. */
const METADATA_UNIT = 500;
const SLUG = /^[a-z0-9-]{1,64}$/;

export type LinkService = ReturnType<typeof createLinkService>;

/** Reads links from the survey service, and caches them for a second. During an outage, uses the stored snapshots. */
export function createLinkService(dependencies: Dependencies) {
  const { store, sealer, invitations, source, tenants, passes, checkGuess, log, clock, now } = dependencies;
  const startStopwatch = createStopwatch({ now, clock });
  const links = createSnapshots<Link>({
    store: {
      async find(slug) {
        const sealed = await store.find(slug);
        return sealed && sealer.open(sealed);
      },
      save: async (link, observedAt) => store.save(await sealer.seal(link), observedAt),
    },
    source: source.findLink,
    isSame: isSameLink,
    toDeleted,
    tenants,
    sizeOf: ({ metadata }) => 1 + Math.ceil((metadata ? JSON.stringify(metadata).length : 0) / METADATA_UNIT),
    capacity: CAPACITY,
    log,
    clock,
    now,
  });

  /** Reads the link from the survey service if the cached link is not usable. */
  const findSnapshot = async (slug: string, isUsable: (link: Link) => boolean): Promise<Link | undefined> =>
    (await links.find(slug, isUsable))?.snapshot;

  async function find(slug: string, isUsable: () => boolean): Promise<Link> {
    const normalized = normalizedIdOrSlug(slug);
    const found = SLUG.test(normalized) ? await findSnapshot(normalized, isUsable) : undefined;
    if (found === undefined) throw new AppError('LINK_NOT_FOUND');
    return found;
  }

  async function checkVisitor(link: Link, { client, password, tokens }: Visitor): Promise<Admission | Rejection> {
    const { singleUse, tokenKey, passwordHash } = link;
    const token = tokenKey && tokens.find((one) => isLinkToken(tokenKey, one));
    const admitted = { outcome: 'admitted', link, token } as const;
    const rejected = (code: ErrorCode, options?: AppErrorOptions): Rejection => ({
      outcome: 'rejected',
      link,
      token,
      error: new AppError(code, options),
    });
    const rejection = linkRejectionOf(link, clock());
    if (rejection !== undefined) return rejected(rejection);
    if (singleUse && token === undefined) return rejected('LINK_TOKEN_WRONG');
    if (passwordHash === undefined) return admitted;

    const passwordLink = { ...link, passwordHash };
    const passed = await Promise.all(tokens.map((one) => passes.isValid(passwordLink, one)));
    if (passed.includes(true)) return admitted;
    const verdict = password === undefined ? 'wrong' : await checkGuess(passwordLink, { client, password });
    if (verdict === 'wrong') return rejected('LINK_PASSWORD_WRONG');
    // The verdict contains the options of the error.
    if (verdict !== 'right') return rejected('TOO_MANY_REQUESTS', verdict);
    const pass = await passes.issue(passwordLink);
    return { ...admitted, linkTokenHeader: token === undefined ? pass : `${token}, ${pass}` };
  }

  /**
   * Finds a link under its current slug. Returns `known` if the link is deleted or its slug cannot be read. Throws
   * `UNAVAILABLE` if the slug cannot be read and `known` is undefined.
   */
  async function findRenamed(tenantId: TenantId, linkId: string, known: Link | undefined): Promise<Link | undefined> {
    try {
      const slug = await source.findSlug(tenantId, linkId);
      const found = slug === undefined ? undefined : await findSnapshot(slug, () => false);
      return found?.id === linkId ? found : known;
    } catch (error) {
      if (known === undefined) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
      log.warn({ err: error }, 'cannot read the slug of a link, using its last snapshot');
      return known;
    }
  }

  /** Returns the metadata of a new response through a link. */
  async function metadataFor(link: MetadataLink, invitationId: string | undefined): Promise<GivenMetadata> {
    const { tenantId, surveyId, id: linkId, metadata } = link;
    if (invitationId === undefined) return { link: metadata };
    return { link: metadata, token: await invitations.findMetadata({ tenantId, surveyId, linkId }, invitationId) };
  }

  return {
    metadataFor,

    /** Returns the metadata that a response gets, as last known here. The link can be closed by now. */
    async findMetadata({ tenantId, surveyId, linkId, invitationId }: GivenTo): Promise<GivenMetadata> {
      if (linkId === undefined) return {};
      const link = await store.findLast(tenantId, linkId);
      const metadata = link && (await sealer.openMetadata(link));
      return metadataFor({ tenantId, surveyId, id: linkId, metadata }, invitationId);
    },

    /** Checks whether a visitor may use a link. Throws `LINK_NOT_FOUND` if the link never existed. */
    async visit(slug: string, visitor: Visitor): Promise<Visit> {
      const ageMs = startStopwatch();
      const link = await find(slug, () => true);
      const visit = await checkVisitor(link, visitor);
      if (visit.outcome === 'admitted') return { ...visit, ageMs };
      // The cached link may be outdated. Reject a visitor only after a check of the fresh link.
      const fresh = await find(slug, () => false);
      return { ...(isSameLink(link, fresh) ? visit : await checkVisitor(fresh, visitor)), ageMs };
    },

    /**
     * Finds an open link. Throws `LINK_NOT_FOUND` if the link is inactive or deleted, and `LINK_EXPIRED` if it has
     * expired.
     *
     * @param slug the last known slug of the link, if any
     */
    async findOpen(tenantId: TenantId, linkId: string, slug?: string): Promise<LinkFields> {
      const isOpen = (link: LinkFields) => link.id === linkId && linkRejectionOf(link, clock()) === undefined;
      const lastSlug = slug ?? (await store.findLast(tenantId, linkId))?.slug;
      const found = lastSlug === undefined ? undefined : await findSnapshot(lastSlug, isOpen);
      if (found !== undefined && isOpen(found)) return found;
      const link = await findRenamed(tenantId, linkId, found?.id === linkId ? found : undefined);
      if (link === undefined) throw new AppError('LINK_NOT_FOUND');
      const rejection = linkRejectionOf(link, clock());
      if (rejection !== undefined) throw new AppError(rejection);
      return link;
    },
  };
}

/** A survey, and the link through which it is answered. */
export interface Entrance {
  readonly survey: CompiledSurvey;
  readonly link?: LinkFields | undefined;
}

interface EntranceKey {
  readonly tenantId: TenantId;
  readonly surveyId: string;
  /** Undefined for the survey's own address. */
  readonly linkId: string | undefined;
  /** The last known slug of the link. Saves a read of the database. */
  readonly slug?: string | undefined;
}

/**
 * Finds the current survey and link. Throws if one of them accepts no responses, because it is closed, expired or
 * deleted, or its tenant is suspended or deleted. After a wait, call it again before storing something.
 */
export type FindEntrance = (key: EntranceKey) => Promise<Entrance>;

interface FindEntranceDependencies {
  readonly definitions: Pick<DefinitionService, 'findAtOwnAddress' | 'findForRespondent'>;
  readonly links: Pick<LinkService, 'findOpen'>;
  readonly clock: () => Date;
}

export function createFindEntrance({ definitions, links, clock }: FindEntranceDependencies): FindEntrance {
  return async ({ tenantId, surveyId, linkId, slug }) => {
    if (linkId === undefined) {
      const survey = await definitions.findAtOwnAddress(tenantId, surveyId);
      checkOpen(survey, clock());
      checkOwnAddress(survey);
      return { survey };
    }
    const survey = await definitions.findForRespondent(tenantId, surveyId);
    checkOpen(survey, clock());
    return { survey, link: await links.findOpen(tenantId, linkId, slug) };
  };
}

export interface Visitor {
  /** Identifies the visitor, by network address. */
  readonly client: string;
  readonly password: string | undefined;
  /** Tokens of single-use links, and passes that replace a password. */
  readonly tokens: readonly string[];
}

/** Tokens that are read from a request. A visitor needs at most two: a token and a pass. */
const MAX_TOKENS = 8;

/**
 * Reads the headers `Link-Password` and `Link-Token` (comma-separated).
 *
 * @param address network address of the visitor
 */
export function readVisitor(headers: Headers, address: string): Visitor {
  const tokens = headers.get('link-token') ?? '';
  return {
    client: clientKeyOf(address),
    password: headers.get('link-password') ?? undefined,
    tokens: tokens
      .split(',', MAX_TOKENS)
      .map((token) => token.trim())
      .filter((token) => token !== ''),
  };
}
