import { uuidOf } from '@survey/runtime/crypto/uuid-of';
import { parse } from 'uuid';
import type { Response } from '../responses/response.ts';
import { type ReplacedState, type StoredState, toReplaced } from '../responses/response-state-store.ts';

/** The ids of a response, and its survey. */
export type ResponseIds = Pick<Response, 'id' | 'tenantId' | 'surveyId' | 'externalId'>;

export type ImportStep<Planned extends ResponseIds = Response> =
  | { readonly step: 'store'; readonly response: Planned; readonly replaced: ReplacedState | undefined }
  /** The response is already stored, or was deleted after the import began. */
  | { readonly step: 'skip' }
  /** All its ids are taken. */
  | { readonly step: 'reject' };

/** Namespace (RFC 9562, version 5) of ids that replace taken ids. */
const DERIVED_IDS = parse('e3b1d6c4-8f27-4d6b-9a0e-52c7f4a91d38');

/**
 * Decides what to do with each response, in the given order. A response keeps the id from its file, unless it is taken:
 * by another tenant or survey, or by a deleted response through a link, which marks a token as used. Then it gets an id
 * derived from tenant, survey and the taken id. Later imports find it under the derived id, even if the other id has
 * become free.
 *
 * @param states the states of the documents with the ids that `idsOf` returns
 * @param begunAt start of the import; responses deleted later are skipped
 */
export function planImport<Planned extends ResponseIds>(
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
    if (planned.has(chosen.id) || state?.kind === 'stored') return { step: 'skip' };
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

/** The two possible ids of a response. */
export function idsOf(response: ResponseIds): readonly string[] {
  return [response.id, toDerivedId(response)];
}

function isOfSameSurvey({ surveyId }: ResponseIds, state: StoredState | undefined): boolean {
  return (state?.kind === 'stored' || state?.kind === 'deleted') && state.surveyId === surveyId;
}

/** Whether the response cannot have the id: another survey or a token uses it. */
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
