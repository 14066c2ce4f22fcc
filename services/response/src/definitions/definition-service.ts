import { compile } from '@survey/questionnaire/compile';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { checkOwned, checkPublic, type Definition, type Snapshot } from './definition.ts';
import { createSingleFlight } from './single-flight.ts';

/** Where snapshots outlive the process. */
export interface DefinitionStore {
  findLatest(surveyId: string): Promise<Snapshot | undefined>;
  /** Resolves when the snapshot is durable. One that was observed later stays. */
  save(snapshot: Snapshot, observedAt: Date): Promise<void>;
}

/** The survey as it is now, undefined when there is none. */
export type DefinitionSource = (surveyId: string) => Promise<Snapshot | undefined>;

interface Dependencies {
  readonly store: DefinitionStore;
  readonly source: DefinitionSource;
  readonly log: Logger;
  readonly clock: () => Date;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

interface Entry {
  readonly definition: Definition;
  /** When the source was asked last, with or without success. */
  readonly triedAt: number;
  /** When it was saved last. */
  readonly savedAt: number;
}

/** How old a look-up may be that is answered from memory. Milliseconds. */
const FRESH_MS = 1_000;
/** How long to wait for a survey service that did not answer last, when there is a snapshot to go on with. */
const PATIENCE_MS = 100;
/** Saved again after this long even when unchanged: what another process saved may have been a passing state. */
const SAVE_AGAIN_MS = 60_000;
/** Length of all definitions in memory, as JSON text. */
const CACHED_CHARACTERS = 64 * 1024 * 1024;

const SURVEY_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export type DefinitionService = ReturnType<typeof createDefinitionService>;

/**
 * Definitions, at most a second old while the survey service answers. While it does not, the last snapshot serves,
 * after a restart too.
 */
export function createDefinitionService({ store, source, log, clock, now }: Dependencies) {
  const entries = new LRUCache<string, Entry>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: ({ definition }) => definition.size,
  });
  let isAway = false;

  const recall = createSingleFlight(async (surveyId) => {
    const snapshot = await store.findLatest(surveyId);
    const never = Number.NEGATIVE_INFINITY;
    if (snapshot !== undefined) remember({ definition: toDefinition(snapshot), triedAt: never, savedAt: never });
  });

  const refresh = createSingleFlight(async (surveyId): Promise<Definition> => {
    const known = entries.get(surveyId);
    const observedAt = clock();
    let found: Snapshot | undefined;
    try {
      found = await source(surveyId);
    } catch (error) {
      return goOnWith(known, error);
    }
    noteAnswer();
    const snapshot = found ?? asDeleted(known?.definition);
    if (snapshot === undefined) throw new AppError('SURVEY_NOT_FOUND');
    return take(snapshot, observedAt, known);
  });

  /** A snapshot that is not durable would be lost with the process, and the survey with it while its service is away. */
  async function take(found: Snapshot, observedAt: Date, known: Entry | undefined): Promise<Definition> {
    const before = known?.definition;
    const isSame = before?.version === found.version && before.status === found.status;
    const isSaved = known !== undefined && isSame && now() - known.savedAt < SAVE_AGAIN_MS;
    if (!isSaved) await store.save(found, observedAt);
    const definition = isSame ? before : toDefinition(found, before);
    remember({ definition, triedAt: now(), savedAt: isSaved ? known.savedAt : now() });
    return definition;
  }

  function goOnWith(known: Entry | undefined, error: unknown): Definition {
    if (!isAway) log.warn({ err: error }, 'the survey service does not answer, the last snapshots serve');
    isAway = true;
    if (known === undefined) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
    remember({ ...known, triedAt: now() });
    return known.definition;
  }

  function remember(entry: Entry): void {
    entries.set(entry.definition.surveyId, entry);
  }

  function noteAnswer(): void {
    if (isAway) log.info('the survey service answers again');
    isAway = false;
  }

  /** @param suffices what has to hold for an answer from memory: a refusal is made from nothing but fresh knowledge */
  async function find(surveyId: string, suffices: (definition: Definition) => boolean): Promise<Definition> {
    if (!SURVEY_ID.test(surveyId)) throw new AppError('SURVEY_NOT_FOUND');
    if (!entries.has(surveyId)) await recall(surveyId);
    const known = entries.get(surveyId);
    if (known !== undefined && now() - known.triedAt < FRESH_MS && suffices(known.definition)) return known.definition;
    const refreshed = refresh(surveyId);
    return known !== undefined && isAway ? withPatience(refreshed, known.definition) : refreshed;
  }

  return {
    /**
     * A survey by its id alone, for respondents: the tenant follows from it. Throws `SURVEY_NOT_FOUND` for a draft too.
     */
    async findPublic(surveyId: string, version?: number): Promise<Definition> {
      const definition = await find(surveyId, (known) => takesResponses(known, version));
      checkPublic(definition);
      return definition;
    },

    /** A survey of the tenant that is to take a response. Throws `SURVEY_NOT_FOUND`. */
    async findForSubmission(tenantId: TenantId, surveyId: string, version?: number): Promise<Definition> {
      const definition = await find(surveyId, (known) => takesResponses(known, version));
      checkOwned(definition, tenantId);
      return definition;
    },

    /** A survey of the tenant in whichever state. Throws `SURVEY_NOT_FOUND`. */
    async findOwned(tenantId: TenantId, surveyId: string): Promise<Definition> {
      const definition = await find(surveyId, () => true);
      checkOwned(definition, tenantId);
      return definition;
    },
  };
}

function takesResponses(definition: Definition, version: number | undefined): boolean {
  return definition.status === 'active' && (version === undefined || version === definition.version);
}

function toDefinition(snapshot: Snapshot, before?: Definition): Definition {
  if (before?.version === snapshot.version) return { ...before, status: snapshot.status };
  const { schemaVersion, version, definition } = snapshot;
  let compiled: ReturnType<typeof compile> | undefined;
  return {
    ...snapshot,
    size: JSON.stringify(definition).length,
    compiled() {
      compiled ??= compile({ schema_version: schemaVersion, version, survey: definition });
      return compiled;
    },
  };
}

function asDeleted(known: Definition | undefined): Snapshot | undefined {
  return known && { ...known, status: 'deleted' };
}

/** The refreshed definition, or the known one when that takes too long. */
async function withPatience(refreshed: Promise<Definition>, known: Definition): Promise<Definition> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<Definition>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, known);
  });
  try {
    return await Promise.race([refreshed, enough]);
  } finally {
    clearTimeout(timer);
  }
}
