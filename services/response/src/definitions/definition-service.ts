import { isDeepStrictEqual } from 'node:util';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import type { Logger } from 'pino';
import { createSnapshots } from '../snapshots/snapshots.ts';
import {
  checkOwned,
  checkPublic,
  type Definition,
  isAccessible,
  isOpen,
  type Snapshot,
  toDefinition,
} from './definition.ts';
import { createDefinitionVersions } from './definition-versions.ts';

/** Where snapshots outlive the process. */
export interface DefinitionStore {
  findLatest(surveyId: string): Promise<Snapshot | undefined>;
  findVersion(tenantId: TenantId, surveyId: string, version: number): Promise<Snapshot | undefined>;
  /** As `SnapshotStore` says; one of a deleted survey is of what is gone. */
  save(snapshot: Snapshot, observedAt: Date): Promise<void>;
}

/** The survey as it is now; undefined when there is none, or none of the version. */
export interface DefinitionSource {
  /** @param known spares the transfer of a definition that has not changed: it is the very same one then */
  findLatest(surveyId: string, known: Snapshot | undefined): Promise<Snapshot | undefined>;
  findVersion(surveyId: string, version: number): Promise<Snapshot | undefined>;
}

interface Dependencies {
  readonly store: DefinitionStore;
  readonly source: DefinitionSource;
  readonly tenants: Pick<FollowedTenants, 'statusOf'>;
  readonly log: Logger;
  readonly clock: () => Date;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

/** Length of all latest definitions in memory, as JSON text. */
const LATEST_CHARACTERS = 64 * 1024 * 1024;

const SURVEY_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export type DefinitionService = ReturnType<typeof createDefinitionService>;

/**
 * Definitions, their surveys' state at most a second old while the survey service answers. While it does not, the last
 * snapshots serve, after a restart too.
 */
export function createDefinitionService({ store, source, tenants, log, clock, now }: Dependencies) {
  const latest = createSnapshots<Definition>({
    store: { find: recallLatest, save: store.save },
    source: askForLatest,
    isSame: isSameSnapshot,
    toGone: (known) => ({ ...known, status: 'deleted' }),
    tenants,
    sizeOf: ({ size }) => size,
    capacity: LATEST_CHARACTERS,
    log,
    clock,
    now,
  });
  const versions = createDefinitionVersions({ store, source, clock, now });

  async function recallLatest(surveyId: string): Promise<Definition | undefined> {
    const snapshot = await store.findLatest(surveyId);
    return snapshot && toDefinition(snapshot);
  }

  async function askForLatest(surveyId: string, known: Definition | undefined): Promise<Definition | undefined> {
    // A survey that comes back need not be the one that was deleted.
    const held = known?.status === 'deleted' ? undefined : known;
    const found = await source.findLatest(surveyId, held);
    return found && toDefinition(found, held);
  }

  async function find(surveyId: string, suffices: (definition: Definition) => boolean): Promise<Definition> {
    const found = SURVEY_ID.test(surveyId) ? await latest.find(surveyId, suffices) : undefined;
    if (found === undefined) throw new AppError('SURVEY_NOT_FOUND');
    return asTenantMay(found);
  }

  /** The surveys of a suspended tenant take no answers. */
  async function asTenantMay(definition: Definition): Promise<Definition> {
    if (definition.status !== 'active' || (await tenants.statusOf(definition.tenantId)) === 'active') return definition;
    return { ...definition, status: 'closed' };
  }

  /** A survey of the tenant in whichever state. Throws `SURVEY_NOT_FOUND`. */
  async function findOwned(tenantId: TenantId, surveyId: string): Promise<Definition> {
    const definition = await find(surveyId, () => true);
    checkOwned(definition, tenantId);
    return definition;
  }

  return {
    /** A survey by its id alone, for respondents: the tenant follows from it. Throws `SURVEY_NOT_FOUND` for a draft too. */
    async findPublic(surveyId: string): Promise<Definition> {
      const definition = await find(surveyId, (known) => isOpen(known, clock()) && isAccessible(known));
      checkPublic(definition);
      return definition;
    },

    /** A survey of the tenant that a link leads to, for respondents. Throws `SURVEY_NOT_FOUND` for a draft too. */
    async findLinked(tenantId: TenantId, surveyId: string): Promise<Definition> {
      const definition = await find(surveyId, (known) => isOpen(known, clock()));
      checkOwned(definition, tenantId);
      checkPublic(definition);
      return definition;
    },

    /** The survey of a response that was begun at the survey's own address. Throws `SURVEY_NOT_FOUND` for a draft too. */
    async findBegun(tenantId: TenantId, surveyId: string): Promise<Definition> {
      const definition = await find(surveyId, (known) => isOpen(known, clock()) && isAccessible(known));
      checkOwned(definition, tenantId);
      checkPublic(definition);
      return definition;
    },

    /** A survey of the tenant that is to take a response. Throws `SURVEY_NOT_FOUND`. */
    async findForSubmission(tenantId: TenantId, surveyId: string): Promise<Definition> {
      const definition = await find(surveyId, (known) => isOpen(known, clock()));
      checkOwned(definition, tenantId);
      return definition;
    },

    findOwned,

    /** Whether the tenant has the survey and has not deleted it. */
    async isOwned(tenantId: TenantId, surveyId: string): Promise<boolean> {
      try {
        await findOwned(tenantId, surveyId);
        return true;
      } catch (error) {
        if (error instanceof AppError && error.reason === 'SURVEY_NOT_FOUND') return false;
        throw error;
      }
    },

    /**
     * A survey that takes responses, in the version that one of them names; undefined when it may not name that one, or
     * could not a second ago. Throws `UNAVAILABLE` when only the survey service could tell, and does not.
     */
    async findVersion(survey: Definition, version: number): Promise<Definition | undefined> {
      if (version === survey.version) return survey;
      const { status, settings } = survey;
      const found = await versions.find(survey, version);
      return found && { ...found, status, settings };
    },

    /**
     * The version of a survey that a stored response answers; it need not have been live, for imports answer drafts too.
     * Throws `UNAVAILABLE` when only the survey service could tell, and is away.
     */
    async findAnswered(survey: Definition, version: number): Promise<Definition> {
      if (version === survey.version) return survey;
      const found = await versions.findAnswered(survey, version);
      if (found === undefined) throw new Error(`The survey ${survey.surveyId} has lost its version ${version}`);
      return found;
    },
  };
}

function isSameSnapshot(one: Definition, other: Definition): boolean {
  return (
    one.definition === other.definition &&
    one.version === other.version &&
    one.status === other.status &&
    one.wasLive === other.wasLive &&
    isDeepStrictEqual(one.settings, other.settings)
  );
}
