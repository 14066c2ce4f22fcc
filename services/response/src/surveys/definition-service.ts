import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { createSingleFlight, maxEntries } from '@survey/runtime/flow/memoize';
import { withTimeLimit } from '@survey/runtime/flow/retry';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Clocks } from '../stopwatch.ts';
import {
  allowsOwnAddress,
  type CompiledSurvey,
  checkOwned,
  checkPublic,
  isOpen,
  type Snapshot,
  toCompiledSurvey,
} from './definition.ts';
import type { DefinitionStore } from './definition-store.ts';
import { createSnapshots, normalizedIdOrSlug, UNUSED_TTL_MS } from './snapshots.ts';
import type { SurveyClient } from './survey-client.ts';

type DefinitionSource = Pick<SurveyClient, 'findLatest' | 'findVersion' | 'findPublishedVersions'>;

interface Dependencies extends Clocks {
  readonly store: DefinitionStore;
  readonly source: DefinitionSource;
  readonly tenants: Pick<FollowedTenants, 'statusOf'>;
  readonly log: Logger;
}

/** A call that asks the survey service for a newer version of a survey. */
interface Ask {
  readonly startedAt: number;
  readonly found: Promise<CompiledSurvey | undefined>;
  /** The result of the next ask. All waiting requests share it. */
  next: Promise<CompiledSurvey | undefined> | undefined;
}

/** Maximum wait for a version that a reader requires. */
const AT_LEAST_TIMEOUT_MS = 2_000;
/** Minimum time between two asks for a newer version of the same survey. */
const NEWER_TTL_MS = 1_000;
const MAX_NEWER = 10_000;
/** Maximum size of the cache of latest definitions, in characters of JSON. */
const CACHE_CHARACTERS = 64 * 1024 * 1024;

const SURVEY_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export type DefinitionService = ReturnType<typeof createDefinitionService>;

/**
 * Reads surveys from the survey service, and caches them for a second. During an outage, uses the stored snapshots. The
 * finders accept different surveys, and use a cached survey under different conditions:
 *
 * | finder | tenant | draft | cached survey is used if |
 * | `findPublic` | any | no | it is open at its own address |
 * | `findAtOwnAddress` | given | no | it is open at its own address |
 * | `findForRespondent` | given | no | it is open |
 * | `findForSubmission` | given | yes | it is open |
 * | `findOwned` | given | yes | always |
 *
 * A reader can require a minimum version with `atLeast`.
 */
export function createDefinitionService({ store, source, tenants, log, clock, now }: Dependencies) {
  const latest = createSnapshots<CompiledSurvey>({
    store: { find: recallLatest, save: store.save },
    source: askForLatest,
    isSame: isSameSnapshot,
    toDeleted: (known) => ({ ...known, status: 'deleted' }),
    tenants,
    sizeOf: ({ size }) => size,
    capacity: CACHE_CHARACTERS,
    log,
    clock,
    now,
  });
  const versions = createDefinitionVersions({ store, source, clock, now });
  /** The last ask of each survey in the last second. */
  const asks = new LRUCache<string, Ask>({
    ...maxEntries(MAX_NEWER),
    ttl: NEWER_TTL_MS,
    ttlResolution: 0,
    perf: { now },
  });

  async function recallLatest(surveyId: string): Promise<CompiledSurvey | undefined> {
    const snapshot = await store.findLatest(surveyId);
    return snapshot && toCompiledSurvey(snapshot);
  }

  async function askForLatest(
    surveyId: string,
    known: CompiledSurvey | undefined,
  ): Promise<CompiledSurvey | undefined> {
    // Do not reuse the definition of a deleted survey, because a new survey can have its id.
    const reusable = known?.status === 'deleted' ? undefined : known;
    const found = await source.findLatest(surveyId, reusable);
    return found && toCompiledSurvey(found, reusable);
  }

  /**
   * @param isUsable whether a cached survey may be used. Return false for a survey that the caller would reject
   * @param atLeast lowest version to return. Throws `UNAVAILABLE` if there is no such version within two seconds
   */
  async function find(
    surveyId: string,
    isUsable: (definition: CompiledSurvey) => boolean,
    atLeast = 0,
  ): Promise<CompiledSurvey> {
    if (!SURVEY_ID.test(surveyId)) throw new AppError('SURVEY_NOT_FOUND');
    const found = await (atLeast === 0 ? latest.find(surveyId, isUsable) : findAtLeast(surveyId, isUsable, atLeast));
    if (found === undefined) throw new AppError('SURVEY_NOT_FOUND');
    const { snapshot, isTenantActive } = found;
    // The surveys of a suspended tenant are closed.
    return snapshot.status === 'active' && !isTenantActive ? { ...snapshot, status: 'closed' } : snapshot;
  }

  async function findAtLeast(surveyId: string, isUsable: (definition: CompiledSurvey) => boolean, version: number) {
    const isNewEnough = (known: CompiledSurvey) => known.version >= version && isUsable(known);
    function notYet(): never {
      const detail = `Version ${version} of the survey is not available here. Check the number, or try again`;
      throw new AppError('UNAVAILABLE', { detail, retryAfterSeconds: 1 });
    }
    const found = await withTimeLimit(latest.find(surveyId, isNewEnough), AT_LEAST_TIMEOUT_MS, notYet);
    return found === undefined || found.snapshot.version >= version ? found : notYet();
  }

  const keyOf = ({ tenantId, surveyId }: CompiledSurvey) => `${tenantId}:${surveyId}`;

  function ask(survey: CompiledSurvey): Ask {
    const started: Ask = { startedAt: now(), found: askForNewer(survey), next: undefined };
    asks.set(keyOf(survey), started);
    return started;
  }

  /** Asks again a second after the start of the last ask. */
  async function askAfter(last: Ask, survey: CompiledSurvey): Promise<CompiledSurvey | undefined> {
    const rest = last.startedAt + NEWER_TTL_MS - now();
    if (rest > 0) await delay(rest);
    const latestAsk = asks.get(keyOf(survey));
    return (latestAsk === undefined || latestAsk === last ? ask(survey) : latestAsk).found;
  }

  async function askForNewer({ surveyId, tenantId }: CompiledSurvey): Promise<CompiledSurvey | undefined> {
    try {
      const found = await find(surveyId, () => false);
      checkOwned(found, tenantId);
      return found;
    } catch {
      // The caller can go on with the version that it has.
      return undefined;
    }
  }

  /** Finds a survey of the tenant that is not deleted. Throws `SURVEY_NOT_FOUND`. */
  async function findOwned(tenantId: TenantId, surveyId: string, atLeast?: number): Promise<CompiledSurvey> {
    const definition = await find(surveyId, () => true, atLeast);
    checkOwned(definition, tenantId);
    return definition;
  }

  return {
    /** Finds a survey of any tenant for respondents. Throws `SURVEY_NOT_FOUND`, even for a draft. */
    async findPublic(surveyId: string, atLeast?: number): Promise<CompiledSurvey> {
      const definition = await find(
        normalizedIdOrSlug(surveyId),
        (known) => isOpen(known, clock()) && allowsOwnAddress(known),
        atLeast,
      );
      checkPublic(definition);
      return definition;
    },

    /** Finds the survey of a link for respondents. Throws `SURVEY_NOT_FOUND`, even for a draft. */
    async findForRespondent(tenantId: TenantId, surveyId: string, atLeast?: number): Promise<CompiledSurvey> {
      const definition = await find(surveyId, (known) => isOpen(known, clock()), atLeast);
      checkOwned(definition, tenantId);
      checkPublic(definition);
      return definition;
    },

    /** Finds the survey of a response at the survey's own address. Throws `SURVEY_NOT_FOUND`, even for a draft. */
    async findAtOwnAddress(tenantId: TenantId, surveyId: string): Promise<CompiledSurvey> {
      const definition = await find(surveyId, (known) => isOpen(known, clock()) && allowsOwnAddress(known));
      checkOwned(definition, tenantId);
      checkPublic(definition);
      return definition;
    },

    /** Finds a survey for a response that a user of the tenant submits. Throws `SURVEY_NOT_FOUND`. */
    async findForSubmission(tenantId: TenantId, surveyId: string): Promise<CompiledSurvey> {
      const definition = await find(surveyId, (known) => isOpen(known, clock()));
      checkOwned(definition, tenantId);
      return definition;
    },

    findOwned,

    /** Finds a newer version of a survey, if any. May miss a version that was published in the last second. */
    async findNewer(survey: CompiledSurvey): Promise<CompiledSurvey | undefined> {
      return newerThan(survey, await (asks.get(keyOf(survey)) ?? ask(survey)).found);
    },

    /**
     * Finds a newer version of a survey, even if it was published just before the call. Call it before rejecting a
     * request that names something unknown. It can wait for up to a second before it asks the survey service.
     */
    async awaitNewer(survey: CompiledSurvey): Promise<CompiledSurvey | undefined> {
      const last = asks.get(keyOf(survey));
      if (last === undefined) return newerThan(survey, await ask(survey).found);
      const found = newerThan(survey, await last.found);
      if (found !== undefined) return found;
      last.next ??= askAfter(last, survey);
      return newerThan(survey, await last.next);
    },

    async isOwned(tenantId: TenantId, surveyId: string): Promise<boolean> {
      try {
        await findOwned(tenantId, surveyId);
        return true;
      } catch (error) {
        if (error instanceof AppError && error.code === 'SURVEY_NOT_FOUND') return false;
        throw error;
      }
    },

    /**
     * Finds the version that a new response names. Returns undefined if the version was never published, unless it is
     * the version of `survey`. May miss a version that was published in the last second. Throws `UNAVAILABLE` if the
     * version is not stored here and the survey service is unavailable.
     */
    async findVersion(survey: CompiledSurvey, version: number): Promise<CompiledSurvey | undefined> {
      if (version === survey.version) return survey;
      const { status, settings } = survey;
      const found = await versions.find(survey, version);
      return found && { ...found, status, settings };
    },

    /**
     * Returns the latest 200 versions that are or were published. While the survey service is unavailable, returns at
     * most the version of `survey`, so that exports still work.
     */
    async findPublishedVersions(survey: CompiledSurvey): Promise<readonly number[]> {
      const known = survey.wasPublished ? [survey.version] : [];
      try {
        return [...new Set([...known, ...(await source.findPublishedVersions(survey))])];
      } catch (error) {
        log.warn({ err: error, surveyId: survey.surveyId }, 'the published versions of a survey are unknown');
        return known;
      }
    },

    /**
     * Finds the version that a stored response answers. It can be a draft, because imports can answer drafts. Throws
     * `UNAVAILABLE` if the version is not stored here and the survey service is unavailable.
     */
    async findAnsweredVersion(survey: CompiledSurvey, version: number): Promise<CompiledSurvey> {
      if (version === survey.version) return survey;
      const found = await versions.findAnsweredVersion(survey, version);
      if (found === undefined) throw new Error(`The survey ${survey.surveyId} lacks the answered version ${version}`);
      return found;
    },
  };
}

function newerThan({ version }: CompiledSurvey, found: CompiledSurvey | undefined): CompiledSurvey | undefined {
  return found !== undefined && found.version > version ? found : undefined;
}

function isSameSnapshot(one: CompiledSurvey, other: CompiledSurvey): boolean {
  return (
    one.definition === other.definition &&
    one.version === other.version &&
    one.status === other.status &&
    one.wasPublished === other.wasPublished &&
    isDeepStrictEqual(one.settings, other.settings)
  );
}

/** A version of a survey, other than the version that `survey` has. */
interface VersionRef {
  readonly survey: Snapshot;
  readonly version: number;
}

/** Size of each of the two caches, in characters of JSON. */
const CHARACTERS = 16 * 1024 * 1024;
/** Cache rejections for this time, so that clients cannot cause unlimited calls to the survey service. */
const REJECTED_MS = 1_000;
const MAX_REJECTIONS = 10_000;

/** Finds versions that responses name. Stores published versions, so that they are available during an outage. */
function createDefinitionVersions({ store, source, clock, now }: Omit<Dependencies, 'tenants' | 'log'>) {
  /** Unlike `memoize`, limits the total size and does not cache a missing version, which may be published later. */
  const cacheVersions = (find: (ref: VersionRef) => Promise<CompiledSurvey | undefined>) =>
    new LRUCache<string, CompiledSurvey, VersionRef>({
      maxSize: CHARACTERS,
      sizeCalculation: ({ size }) => size,
      ttl: UNUSED_TTL_MS,
      perf: { now },
      fetchMethod: (_key, _stale, { context }) => find(context),
    });
  const published = cacheVersions(findPublished);
  /** Versions of stored responses, published or not. */
  const answered = cacheVersions(findAny);
  const rejectionOptions = { ...maxEntries(MAX_REJECTIONS), ttl: REJECTED_MS, ttlResolution: 0, perf: { now } };
  /** Unpublished versions, cached for a second. */
  const unpublished = new LRUCache<string, true>(rejectionOptions);
  /** Number of the latest version by survey, cached for a second. */
  const latest = new LRUCache<string, number>(rejectionOptions);

  const askForLatest = createSingleFlight(async (_key, survey: Snapshot) => {
    const found = await orUnavailable(source.findLatest(survey.surveyId, survey));
    return found?.version ?? 0;
  });

  async function findPublished({ survey, version }: VersionRef): Promise<CompiledSurvey | undefined> {
    const { tenantId, surveyId } = survey;
    const stored = await store.findVersion(tenantId, surveyId, version);
    if (stored?.wasPublished) return toCompiledSurvey(stored);
    if (version > survey.version && (await isBeyondLatest(survey, version))) return undefined;
    const observedAt = clock();
    const found = await orUnavailable(source.findVersion(surveyId, version));
    if (!found?.wasPublished || found.tenantId !== tenantId) {
      unpublished.set(versionKeyOf(survey, version), true);
      return undefined;
    }
    await store.save(found, observedAt);
    return toCompiledSurvey(found);
  }

  async function findAny({ survey, version }: VersionRef): Promise<CompiledSurvey | undefined> {
    const { tenantId, surveyId } = survey;
    const stored = await store.findVersion(tenantId, surveyId, version);
    const found = stored ?? (await orUnavailable(source.findVersion(surveyId, version)));
    return found?.tenantId === tenantId ? toCompiledSurvey(found) : undefined;
  }

  async function isBeyondLatest(survey: Snapshot, version: number): Promise<boolean> {
    const key = surveyKeyOf(survey);
    const cached = latest.get(key);
    if (cached !== undefined && version > cached) return true;
    const number = await askForLatest(key, survey);
    if (version <= number) return false;
    latest.set(key, number);
    return true;
  }

  return {
    /**
     * Finds a version that is or was published. May miss a version that was published in the last second. Throws
     * `UNAVAILABLE` if the version is not stored here and the survey service is unavailable.
     */
    async find(survey: Snapshot, version: number): Promise<CompiledSurvey | undefined> {
      const key = versionKeyOf(survey, version);
      return unpublished.has(key) ? undefined : published.fetch(key, { context: { survey, version } });
    },

    /** Finds a version, published or not. Throws `UNAVAILABLE` like `find`. */
    findAnsweredVersion: (survey: Snapshot, version: number): Promise<CompiledSurvey | undefined> =>
      answered.fetch(versionKeyOf(survey, version), { context: { survey, version } }),
  };
}

// Keys contain the tenant, because another tenant can reuse the id of a deleted survey.
function surveyKeyOf({ tenantId, surveyId }: Snapshot): string {
  return `${tenantId}:${surveyId}`;
}

function versionKeyOf(survey: Snapshot, version: number): string {
  return `${surveyKeyOf(survey)}:${version}`;
}

async function orUnavailable<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
  }
}
