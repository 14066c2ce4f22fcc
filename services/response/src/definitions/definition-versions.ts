import { AppError } from '@survey/runtime/errors/app-error';
import { createSingleFlight } from '@survey/runtime/flow/single-flight';
import { maxEntries } from '@survey/runtime/limits/max-entries';
import { LRUCache } from 'lru-cache';
import { UNUSED_TTL_MS } from '../snapshots/snapshots.ts';
import { type CompiledSurvey, type Snapshot, toCompiledSurvey } from './definition.ts';
import type { DefinitionSource, DefinitionStore } from './definition-service.ts';

interface Dependencies {
  readonly store: DefinitionStore;
  readonly source: DefinitionSource;
  readonly clock: () => Date;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** A version other than the latest known one. */
interface VersionRef {
  readonly survey: Snapshot;
  readonly version: number;
}

/** Size of each of the two caches, in characters of JSON. */
const CHARACTERS = 16 * 1024 * 1024;
/** Rejections are cached, so that clients cannot cause unlimited calls to the survey service. */
const REJECTED_MS = 1_000;
const MAX_REJECTIONS = 10_000;

/** Finds versions that responses name. Published versions are stored, and are available during outages and restarts. */
export function createDefinitionVersions({ store, source, clock, now }: Dependencies) {
  const published = new LRUCache<string, CompiledSurvey, VersionRef>({
    maxSize: CHARACTERS,
    sizeCalculation: ({ size }) => size,
    ttl: UNUSED_TTL_MS,
    perf: { now },
    fetchMethod: (_key, _stale, { context }) => findPublished(context),
  });
  /** Versions of stored responses, published or not. */
  const answered = new LRUCache<string, CompiledSurvey, VersionRef>({
    maxSize: CHARACTERS,
    sizeCalculation: ({ size }) => size,
    ttl: UNUSED_TTL_MS,
    perf: { now },
    fetchMethod: (_key, _stale, { context }) => findAny(context),
  });
  const rejectionOptions = { ...maxEntries(MAX_REJECTIONS), ttl: REJECTED_MS, ttlResolution: 0, perf: { now } };
  const unpublished = new LRUCache<string, true>(rejectionOptions);
  /** Numbers of the latest versions, by survey. */
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
     * Finds a version that is or was published. Returns undefined if there is none; a version that was published in the
     * last second may be missing. Throws `UNAVAILABLE` if the version is not stored here and the survey service is not
     * available.
     */
    async find(survey: Snapshot, version: number): Promise<CompiledSurvey | undefined> {
      const key = versionKeyOf(survey, version);
      return unpublished.has(key) ? undefined : published.fetch(key, { context: { survey, version } });
    },

    /** Finds a version, published or not. Throws `UNAVAILABLE` like `find`. */
    findAnswered: (survey: Snapshot, version: number): Promise<CompiledSurvey | undefined> =>
      answered.fetch(versionKeyOf(survey, version), { context: { survey, version } }),
  };
}

// Keys contain the tenant: the id of a deleted survey can be used by another tenant.
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
