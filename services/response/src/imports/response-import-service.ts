import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { uuidOf } from '@survey/runtime/crypto/uuid-of';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { createYieldIfDue } from '@survey/runtime/flow/yielding';
import { parse } from 'uuid';
import type { CountStored } from '../responses/module.ts';
import {
  fitMetadata,
  languageProblems,
  type Response,
  type ResponseStatus,
  sizeProblems,
  validateAnswers,
} from '../responses/response.ts';
import { type ReplacedState, type StoredState, toReplaced } from '../responses/response-document-store.ts';
import { statusEvents } from '../responses/response-events.ts';
import type { ResponseSealer } from '../responses/response-sealer.ts';
import type { ResponseStore, StoreOutcome } from '../responses/response-store.ts';
import type { LedgerStore } from '../seats/ledger-store.ts';
import { countsTowardLimits, type LastSeat, lastSeatEvents } from '../seats/limit.ts';
import { type CompiledSurvey, findLanguage } from '../surveys/definition.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';

/** A response from a file. */
export interface ImportedResponse {
  readonly id: string;
  readonly externalId: string | undefined;
  readonly data: JsonObject;
  readonly startedAt: Date | undefined;
  /** Default: the time of the import. */
  readonly completedAt: Date | undefined;
  readonly language: string | undefined;
  readonly metadata: JsonObject | undefined;
  /** The status of an unfinished response. Undefined for a finished one. */
  readonly status: Extract<ResponseStatus, 'in_progress' | 'abandoned'> | undefined;
  /** Whether answers to required questions may be missing. */
  readonly allowsMissing: boolean;
}

type ImportOutcome = { readonly outcome: 'imported' | 'skipped' } | Failure;

interface Failure {
  readonly outcome: 'failed';
  readonly code: string;
  readonly detail: string;
  /** JSON pointer to the first invalid value, if any. */
  readonly path?: string;
}

interface Importer {
  readonly tenantId: TenantId;
  readonly traceparent: string;
}

/** The import that the responses belong to. An import stores its responses in many calls. */
interface ImportRun {
  readonly surveyId: string;
  /** If true, no events are published. */
  readonly silent: boolean;
  /** Start of the import. Responses that were deleted after it are not stored again. */
  readonly begunAt: Date;
  /** Whether an earlier call may have stored these responses. They then count as imported instead of skipped. */
  readonly wasSentBefore: boolean;
}

interface LimitedImportRun extends ImportRun {
  /** Limit of the survey. Undefined if the event `survey.limit_reached` must not be published. */
  readonly responseLimit: number | undefined;
}

type StoreStep = Extract<ImportStep, { readonly step: 'store' }>;

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findOwned' | 'findNewer'>;
  readonly store: Pick<ResponseStore, 'insertAll' | 'findStates'>;
  readonly ledgers: Pick<LedgerStore, 'track'>;
  readonly sealer: Pick<ResponseSealer, 'forTenant'>;
  readonly countStored: CountStored;
  readonly clock: () => Date;
}

/** Number of responses that are validated and written at a time. Larger chunks would delay other requests. */
const CHUNK = 100;
const MAX_ATTEMPTS = 3;
/** Maximum number of errors in the detail of a failed response. */
const MAX_QUOTED = 5;
const NOT_STORED: Failure = { outcome: 'failed', code: 'INTERNAL', detail: 'The response cannot be stored' };

export type ResponseImportService = ReturnType<typeof createResponseImportService>;

/**
 * Validates and stores the responses of imports, with an outcome for each response. Completed responses take seats of
 * the survey's limit, but the limit rejects no imported response.
 */
export function createResponseImportService({ definitions, store, ledgers, sealer, countStored, clock }: Dependencies) {
  /** Returns outcomes in the given order. An outcome is undefined if a concurrent write has changed the document. */
  async function attempt(
    importer: Importer,
    run: LimitedImportRun,
    responses: readonly Response[],
  ): Promise<readonly (ImportOutcome | undefined)[]> {
    const states = await store.findStates(responses.flatMap(idsOf));
    const steps = planImport(responses, states, run.begunAt);
    const planned = steps.filter((step) => step.step === 'store').map(continueRevisions);
    const outcomes = (await storeAll(importer, run, planned)).values();
    const storedByRun = (time: Date | undefined) => run.wasSentBefore && time !== undefined && time >= run.begunAt;
    return steps.map((step) => {
      if (step.step === 'skip') return { outcome: storedByRun(step.storedAt) ? 'imported' : 'skipped' };
      if (step.step === 'reject') return NOT_STORED;
      const outcome = outcomes.next().value;
      if (outcome === 'inserted') return { outcome: 'imported' };
      return outcome === 'duplicate' ? undefined : NOT_STORED;
    });
  }

  async function storeAll(
    { tenantId, traceparent }: Importer,
    { surveyId, silent, responseLimit }: LimitedImportRun,
    planned: readonly StoreStep[],
  ): Promise<readonly StoreOutcome[]> {
    if (planned.length === 0) return [];
    const { seal } = await sealer.forTenant(tenantId);
    const eventsOf = (response: Response, lastSeat: LastSeat | undefined) => [
      ...statusEvents(response, traceparent),
      ...lastSeatEvents(response, lastSeat),
    ];
    const counted = planned.filter(({ response }) => countsTowardLimits(response));
    const changes = counted.map(({ response: { id, linkId }, replaced }) => ({
      id,
      linkId,
      revision: replaced?.revision ?? null,
    }));
    const change = { seats: 1, responses: changes, responseLimit } as const;
    const outcomes = await ledgers.track({ tenantId, surveyId }, change, async ({ entry, lastSeat }) => {
      const writes = planned.map(({ response, replaced }) => ({
        response: seal(response),
        events: silent ? [] : eventsOf(response, lastSeat),
        replaced,
      }));
      // A recount may have delayed this write for seconds. Check that the survey and its tenant still exist.
      await definitions.findOwned(tenantId, surveyId);
      return store.insertAll(writes, entry);
    });
    for (const [index, { response }] of planned.entries())
      if (outcomes[index] === 'inserted' && response.status !== 'in_progress') countStored(response);
    return outcomes;
  }

  /** Retries conflicts with concurrent writes of the same ids, such as a batch that is sent twice at the same time. */
  async function storeValid(importer: Importer, run: LimitedImportRun, responses: readonly Response[]) {
    const outcomes: (ImportOutcome | undefined)[] = responses.map(() => undefined);
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const pending = responses.filter((_, index) => outcomes[index] === undefined);
      if (pending.length === 0) break;
      const results = await attempt(importer, run, pending);
      for (const [index, result] of results.entries()) outcomes[responses.indexOf(pending[index] as Response)] = result;
    }
    return outcomes;
  }

  async function storeChunk(
    importer: Importer,
    run: LimitedImportRun,
    definition: CompiledSurvey,
    chunk: readonly ImportedResponse[],
  ) {
    const checked: (Response | Failure)[] = [];
    // The validation can take long, so yield to other requests.
    const yieldIfDue = createYieldIfDue();
    for (const item of chunk) {
      checked.push(checkImported(definition, item, clock()));
      await yieldIfDue();
    }
    const valid = checked.filter(isValid);
    const outcomes = await storeValid(importer, run, valid);
    return checked.map((item) => (isValid(item) ? (outcomes[valid.indexOf(item)] ?? NOT_STORED) : item));
  }

  return {
    /** Returns outcomes in the given order. A repeated call skips stored responses. */
    async storeImported(
      importer: Importer,
      run: ImportRun,
      items: readonly ImportedResponse[],
    ): Promise<readonly ImportOutcome[]> {
      const known = await definitions.findOwned(importer.tenantId, run.surveyId);
      // The cached version may be outdated: an import often starts right after the publication of its version.
      const definition = (await definitions.findNewer(known)) ?? known;
      const responseLimit = run.silent ? undefined : definition.settings.responseLimit;
      const limited = { ...run, responseLimit };
      const outcomes: ImportOutcome[] = [];
      for (let start = 0; start < items.length; start += CHUNK) {
        outcomes.push(...(await storeChunk(importer, limited, definition, items.slice(start, start + CHUNK))));
        // A chunk without valid responses makes no database call, so it may not have yielded.
        await yieldToEventLoop();
      }
      return outcomes;
    },

    /** Returns for each id whether an import would skip it. Throws `SURVEY_NOT_FOUND`. */
    async findImported(
      { tenantId }: Pick<Importer, 'tenantId'>,
      { surveyId, begunAt }: Pick<ImportRun, 'surveyId' | 'begunAt'>,
      ids: readonly string[],
    ): Promise<readonly boolean[]> {
      await definitions.findOwned(tenantId, surveyId);
      const responses = ids.map((id) => ({ id, tenantId, surveyId, externalId: undefined }));
      const states = await store.findStates(responses.flatMap(idsOf));
      return planImport(responses, states, begunAt).map(({ step }) => step === 'skip');
    },
  };
}

function checkImported(definition: CompiledSurvey, item: ImportedResponse, time: Date): Response | Failure {
  for (const timestamp of [item.startedAt, item.completedAt])
    if (timestamp !== undefined && !isRepresentable(timestamp))
      return { outcome: 'failed', code: 'INVALID_TIME', detail: 'The times must be in the years 1 to 9999' };
  const { language } = item;
  const { metadata, problems } = fitMetadata(definition.settings.metadataFields, item.metadata);
  const [problem] = [...problems, ...sizeProblems(metadata), ...languageProblems(definition, language)];
  if (problem !== undefined)
    return { outcome: 'failed', code: problem.code, detail: quote([problem]), path: problem.path };
  const { data, disqualified, errors } = validateAnswers(definition, item.data, {
    lenient: true,
    inactive: true,
    partial: item.allowsMissing || item.status !== undefined,
    language,
  });
  const [first] = errors;
  if (first !== undefined)
    return { outcome: 'failed', code: 'INVALID_ANSWERS', detail: quote(errors), path: first.path };
  return {
    id: item.id,
    tenantId: definition.tenantId,
    surveyId: definition.surveyId,
    surveyVersion: definition.version,
    status: item.status ?? (disqualified ? 'disqualified' : 'completed'),
    createdAt: time,
    updatedAt: time,
    startedAt: item.startedAt,
    completedAt: item.status === undefined ? (item.completedAt ?? time) : undefined,
    language: language === undefined ? undefined : findLanguage(definition, language),
    linkId: undefined,
    invitationId: undefined,
    externalId: item.externalId,
    revision: 1,
    data,
    metadata,
  };
}

/** Whether RFC 3339 can represent the time, so that the API can return it. */
function isRepresentable(time: Date): boolean {
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9_999;
}

/** Continues the revisions of a deleted response. Event ids are made of id and revision, and must not repeat. */
function continueRevisions(step: StoreStep): StoreStep {
  const { response, replaced } = step;
  return replaced?.status === 'deleted'
    ? { ...step, response: { ...response, revision: replaced.revision + 1 } }
    : step;
}

function isValid(item: Response | Failure): item is Response {
  return !('outcome' in item);
}

function quote(errors: readonly FieldProblem[]): string {
  const quoted = errors.slice(0, MAX_QUOTED).map(({ path, code, detail }) => `${path} ${code}: ${detail}`);
  const rest = errors.length - quoted.length;
  return [...quoted, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

/** The ids of a response, and its survey. */
type ResponseIds = Pick<Response, 'id' | 'tenantId' | 'surveyId' | 'externalId'>;

type ImportStep<Planned extends ResponseIds = Response> =
  | { readonly step: 'store'; readonly response: Planned; readonly replaced: ReplacedState | undefined }
  /** The response is already stored, appears earlier in the batch, or was deleted after the start of the import. */
  | { readonly step: 'skip'; readonly storedAt?: Date }
  /** All its ids are taken. */
  | { readonly step: 'reject' };

/** Namespace of ids that replace taken ids (UUID version 5). */
const DERIVED_IDS = parse('e3b1d6c4-8f27-4d6b-9a0e-52c7f4a91d38');

/**
 * Decides the step for each response, in the given order. A response keeps the id from its file unless the id is taken
 * (`isTaken`). If it is taken, the response gets an id derived from tenant, survey and the taken id. Later imports find
 * the response under the derived id, even if the id from the file has become free.
 *
 * @param states states of the documents that have an id of `idsOf`
 * @param begunAt start of the import. Responses that were deleted after it are skipped
 */
function planImport<Planned extends ResponseIds>(
  responses: readonly Planned[],
  states: ReadonlyMap<string, StoredState>,
  begunAt: Date,
): readonly ImportStep<Planned>[] {
  const planned = new Set<string>();

  function plan(response: Planned): ImportStep<Planned> {
    const derived = withDerivedId(response);
    if (wasDeletedLater(response) || wasDeletedLater(derived)) return { step: 'skip' };
    const isUnderDerivedId = isOfSameSurvey(derived, states.get(derived.id));
    const chosen = isUnderDerivedId || isTaken(response, states.get(response.id)) ? derived : response;
    const state = states.get(chosen.id);
    if (isTaken(chosen, state)) return { step: 'reject' };
    if (planned.has(chosen.id)) return { step: 'skip' };
    if (state?.kind === 'stored') return { step: 'skip', storedAt: state.createdAt };
    planned.add(chosen.id);
    const replaced = state?.kind === 'deleted' ? { status: state.kind, revision: state.revision } : toReplaced(state);
    return { step: 'store', response: chosen, replaced };
  }

  function wasDeletedLater(response: ResponseIds): boolean {
    const state = states.get(response.id);
    return state?.kind === 'deleted' && isOfSameSurvey(response, state) && state.at >= begunAt;
  }

  return responses.map(plan);
}

function idsOf(response: ResponseIds): readonly string[] {
  return [response.id, toDerivedId(response)];
}

function isOfSameSurvey({ surveyId }: ResponseIds, state: StoredState | undefined): boolean {
  return (state?.kind === 'stored' || state?.kind === 'deleted') && state.surveyId === surveyId;
}

/** Whether the response cannot have its id. Another survey may use the id, or the id marks a used token of a link. */
function isTaken(response: ResponseIds, state: StoredState | undefined): boolean {
  if (state === undefined || state.kind === 'void') return false;
  return !isOfSameSurvey(response, state) || (state.kind === 'deleted' && state.wasLinked);
}

function toDerivedId({ id, tenantId, surveyId }: ResponseIds): string {
  return uuidOf(DERIVED_IDS, JSON.stringify([tenantId, surveyId, id]));
}

function withDerivedId<Planned extends ResponseIds>(response: Planned): Planned {
  const { id, externalId } = response;
  return { ...response, id: toDerivedId(response), externalId: externalId ?? id };
}
