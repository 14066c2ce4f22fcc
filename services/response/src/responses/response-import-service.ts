import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { uuidOf } from '@survey/runtime/crypto/uuid-of';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { parse } from 'uuid';
import { type Definition, findLanguage } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { Response } from './response.ts';
import { submittedEvents } from './response-events.ts';
import type { CountResponse } from './response-metrics.ts';
import type { ResponseSealer } from './response-sealer.ts';
import type { ResponseStore, StoreOutcome } from './response-service.ts';
import { languageProblems, metadataProblems, validateAnswers } from './submission.ts';

/** A response from a file. Its times are history and kept as they are. */
export interface ImportedResponse {
  readonly id: string;
  readonly externalId: string | undefined;
  readonly data: JsonObject;
  readonly startedAt: Date | undefined;
  /** The time of the import when undefined. */
  readonly completedAt: Date | undefined;
  readonly language: string | undefined;
  readonly metadata: JsonObject | undefined;
}

export type ImportOutcome = { readonly outcome: 'imported' | 'skipped' } | Failure;

interface Failure {
  readonly outcome: 'failed';
  readonly code: string;
  readonly detail: string;
}

/** Whom an import is made for. */
export interface Importer {
  readonly tenantId: TenantId;
  readonly traceparent: string;
}

/** Where imported responses go. */
export interface ImportDestination {
  readonly surveyId: string;
  /** Whether nobody is told of them. */
  readonly silent: boolean;
}

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findOwned'>;
  readonly store: Pick<ResponseStore, 'insertAll' | 'findStored'>;
  readonly sealer: Pick<ResponseSealer, 'sealerOf'>;
  readonly count: CountResponse;
  readonly clock: () => Date;
}

/** Namespace of ids in place of taken ones (RFC 9562, version 5): ours, made once. */
const OWN_IDS = parse('e3b1d6c4-8f27-4d6b-9a0e-52c7f4a91d38');
/** Checked and written at once: more would keep respondents waiting meanwhile. */
const CHUNK = 100;
/** Problems that the detail of a failed response quotes. */
const QUOTED_PROBLEMS = 5;
const NOT_STORED: Failure = { outcome: 'failed', code: 'INTERNAL', detail: 'It could not be stored' };

export type ResponseImportService = ReturnType<typeof createResponseImportService>;

export function createResponseImportService({ definitions, store, sealer, count, clock }: Dependencies) {
  /** `taken` is one whose id belongs to a response of another tenant or survey. */
  async function insertAll(
    { tenantId, traceparent }: Importer,
    { surveyId, silent }: ImportDestination,
    responses: readonly Response[],
  ) {
    if (responses.length === 0) return [];
    const seal = await sealer.sealerOf(tenantId);
    const outcomes = await store.insertAll(
      responses.map((response) => ({
        response: seal(response),
        events: silent ? [] : submittedEvents(response, traceparent),
      })),
    );
    const known = responses.filter((_, index) => outcomes[index] === 'duplicate').map(({ id }) => id);
    const stored = known.length === 0 ? new Set<string>() : await store.findStored(tenantId, surveyId, known);
    return responses.map((response, index) => {
      const outcome = outcomes[index];
      if (outcome === 'inserted') count(response);
      if (outcome !== 'duplicate') return outcome;
      return stored.has(response.id) ? 'stored' : 'taken';
    });
  }

  /** Those that had to take an id of their own before have it again, also when the one they came with is free by now. */
  async function asBefore(
    { tenantId }: Importer,
    { surveyId }: ImportDestination,
    responses: readonly Response[],
  ): Promise<readonly Response[]> {
    if (responses.length === 0) return [];
    const stored = await store.findStored(tenantId, surveyId, responses.map(toOwnId));
    if (stored.size === 0) return responses;
    return responses.map((response) => (stored.has(toOwnId(response)) ? underOwnId(response) : response));
  }

  async function storeValid(
    importer: Importer,
    to: ImportDestination,
    responses: readonly Response[],
  ): Promise<readonly ImportOutcome[]> {
    const first = await insertAll(importer, to, responses);
    const taken = responses.filter((_, index) => first[index] === 'taken');
    const second = await insertAll(importer, to, taken.map(underOwnId));
    return responses.map((response, index) =>
      toOutcome(first[index] === 'taken' ? second[taken.indexOf(response)] : first[index]),
    );
  }

  async function storeChunk(
    importer: Importer,
    to: ImportDestination,
    definition: Definition,
    chunk: readonly ImportedResponse[],
  ) {
    const checked = chunk.map((item) => checkImported(definition, item, clock()));
    const valid = checked.filter(isValid);
    const outcomes = await storeValid(importer, to, await asBefore(importer, to, valid));
    return checked.map((item) => (isValid(item) ? (outcomes[valid.indexOf(item)] ?? NOT_STORED) : item));
  }

  return {
    /** The outcome of each response, at its index. Repeated, it skips what it stored before. */
    async storeImported(
      importer: Importer,
      to: ImportDestination,
      items: readonly ImportedResponse[],
    ): Promise<readonly ImportOutcome[]> {
      const definition = await definitions.findOwned(importer.tenantId, to.surveyId);
      const outcomes: ImportOutcome[] = [];
      for (let start = 0; start < items.length; start += CHUNK) {
        outcomes.push(...(await storeChunk(importer, to, definition, items.slice(start, start + CHUNK))));
        // A chunk of which nothing is stored waits for nothing.
        await nextTurn();
      }
      return outcomes;
    },
  };
}

function checkImported(definition: Definition, item: ImportedResponse, time: Date): Response | Failure {
  for (const given of [item.startedAt, item.completedAt])
    if (given !== undefined && !canBeWritten(given))
      return { outcome: 'failed', code: 'INVALID_TIME', detail: 'A time lies outside of the years 1 to 9999' };
  const { language, metadata } = item;
  const [problem] = [...metadataProblems(metadata), ...languageProblems(definition, language)];
  if (problem !== undefined) return { outcome: 'failed', code: problem.code, detail: quote([problem]) };
  const { data, disqualified, errors } = validateAnswers(definition, item.data, { lenient: true });
  if (errors.length > 0) return { outcome: 'failed', code: 'INVALID_ANSWERS', detail: quote(errors) };
  return {
    id: item.id,
    tenantId: definition.tenantId,
    surveyId: definition.surveyId,
    surveyVersion: definition.version,
    status: disqualified ? 'disqualified' : 'completed',
    createdAt: time,
    updatedAt: time,
    startedAt: item.startedAt,
    completedAt: item.completedAt ?? time,
    language: language === undefined ? undefined : findLanguage(definition, language),
    linkId: undefined,
    externalId: item.externalId,
    revision: 1,
    data,
    metadata,
  };
}

/** Whether RFC 3339 has a text for the time: a list with another one in it could not be shown. */
function canBeWritten(time: Date): boolean {
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9_999;
}

function isValid(item: Response | Failure): item is Response {
  return !('outcome' in item);
}

/** Follows from tenant, survey and the id that it came with. */
function toOwnId({ id, tenantId, surveyId }: Response): string {
  return uuidOf(OWN_IDS, JSON.stringify([tenantId, surveyId, id]));
}

/** The same one with the id that it came with beside its own. */
function underOwnId(response: Response): Response {
  const { id, externalId } = response;
  return { ...response, id: toOwnId(response), externalId: externalId ?? id };
}

function toOutcome(outcome: StoreOutcome | 'stored' | 'taken' | undefined): ImportOutcome {
  if (outcome === 'inserted') return { outcome: 'imported' };
  if (outcome === 'stored') return { outcome: 'skipped' };
  return NOT_STORED;
}

function quote(errors: readonly FieldProblem[]): string {
  const quoted = errors.slice(0, QUOTED_PROBLEMS).map(({ path, code, detail }) => `${path} ${code}: ${detail}`);
  const rest = errors.length - quoted.length;
  return [...quoted, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}
