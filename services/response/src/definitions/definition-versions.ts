import { AppError } from '@survey/runtime/errors/app-error';
import { createSingleFlight } from '@survey/runtime/flow/single-flight';
import { LRUCache } from 'lru-cache';
import { FORGOTTEN_MS } from '../snapshots/snapshots.ts';
import { type Definition, type Snapshot, toDefinition } from './definition.ts';
import type { DefinitionSource, DefinitionStore } from './definition-service.ts';

interface Dependencies {
  readonly store: DefinitionStore;
  readonly source: DefinitionSource;
  readonly clock: () => Date;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

/** A version that a response names, other than the one that is known as the latest. */
interface Named {
  readonly survey: Snapshot;
  readonly version: number;
}

/** Length of all of them in memory, as JSON text. */
const CHARACTERS = 16 * 1024 * 1024;
/** How long a refusal holds: without, anybody could have the survey service asked as often as they like. */
const REFUSED_MS = 1_000;
/** Refusals in memory. */
const REFUSALS = 10_000;

/** Versions that responses name. Those that were live once serve while the survey service is away, after a restart too. */
export function createDefinitionVersions({ store, source, clock, now }: Dependencies) {
  const live = new LRUCache<string, Definition, Named>({
    maxSize: CHARACTERS,
    sizeCalculation: ({ size }) => size,
    ttl: FORGOTTEN_MS,
    perf: { now },
    fetchMethod: (_key, _stale, { context }) => findLive(context),
  });
  /** What responses answer, live or not. */
  const answered = new LRUCache<string, Definition, Named>({
    maxSize: CHARACTERS,
    sizeCalculation: ({ size }) => size,
    ttl: FORGOTTEN_MS,
    perf: { now },
    fetchMethod: (_key, _stale, { context }) => findAny(context),
  });
  const refusals = { max: REFUSALS, ttl: REFUSED_MS, ttlResolution: 0, perf: { now } };
  const notLive = new LRUCache<string, true>(refusals);
  /** Numbers of the latest versions, of surveys that a response was refused for naming a newer one. */
  const latest = new LRUCache<string, number>(refusals);

  const askForLatest = createSingleFlight(async (_key, survey: Snapshot) => {
    const found = await orUnavailable(source.findLatest(survey.surveyId, survey));
    return found?.version ?? 0;
  });

  async function findLive({ survey, version }: Named): Promise<Definition | undefined> {
    const { tenantId, surveyId } = survey;
    const stored = await store.findVersion(tenantId, surveyId, version);
    if (stored?.wasLive) return toDefinition(stored);
    if (version > survey.version && (await isBeyondLatest(survey, version))) return undefined;
    const observedAt = clock();
    const found = await orUnavailable(source.findVersion(surveyId, version));
    if (!found?.wasLive || found.tenantId !== tenantId) {
      notLive.set(versionKeyOf(survey, version), true);
      return undefined;
    }
    await store.save(found, observedAt);
    return toDefinition(found);
  }

  /** A version in whichever state; undefined when there is none. */
  async function findAny({ survey, version }: Named): Promise<Definition | undefined> {
    const { tenantId, surveyId } = survey;
    const stored = await store.findVersion(tenantId, surveyId, version);
    const found = stored ?? (await orUnavailable(source.findVersion(surveyId, version)));
    return found?.tenantId === tenantId ? toDefinition(found) : undefined;
  }

  async function isBeyondLatest(survey: Snapshot, version: number): Promise<boolean> {
    const key = surveyKeyOf(survey);
    const remembered = latest.get(key);
    if (remembered !== undefined && version > remembered) return true;
    const number = await askForLatest(key, survey);
    if (version <= number) return false;
    latest.set(key, number);
    return true;
  }

  return {
    /**
     * The version when it is live or was; undefined when not, which may be a second old. Throws `UNAVAILABLE` when only
     * the survey service could tell, and does not.
     */
    async find(survey: Snapshot, version: number): Promise<Definition | undefined> {
      const key = versionKeyOf(survey, version);
      return notLive.has(key) ? undefined : live.fetch(key, { context: { survey, version } });
    },

    /** The version in whichever state; undefined when there is none. Throws `UNAVAILABLE` as `find` does. */
    findAnswered: (survey: Snapshot, version: number): Promise<Definition | undefined> =>
      answered.fetch(versionKeyOf(survey, version), { context: { survey, version } }),
  };
}

// The id of a survey that is gone may come to be another tenant's.
function surveyKeyOf({ tenantId, surveyId }: Snapshot): string {
  return `${tenantId}:${surveyId}`;
}

function versionKeyOf(survey: Snapshot, version: number): string {
  return `${surveyKeyOf(survey)}:${version}`;
}

async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
  }
}
