import { uuidOf } from '@survey/runtime/crypto/uuid-of';
import { parse } from 'uuid';
import type { Response } from '../responses/response.ts';
import type { Replaced, StoredState } from '../responses/response-state-store.ts';

/** The next step for an imported response. */
export type ImportStep =
  | { readonly step: 'store'; readonly response: Response; readonly replaced: Replaced | undefined }
  /** It is stored already, or was deleted after the import began. */
  | { readonly step: 'skip' }
  /** All its ids belong to responses of other tenants or surveys. */
  | { readonly step: 'refuse' };

/** Namespace of ids in place of taken ones (RFC 9562, version 5): ours, made once. */
const OWN_IDS = parse('e3b1d6c4-8f27-4d6b-9a0e-52c7f4a91d38');

/**
 * Decides what to do with each response, at its index. A response keeps the id of its file, unless another tenant or
 * survey uses it: then its id follows from tenant, survey and the id of the file, in later imports too.
 *
 * @param states of the ids that `idsOf` gives
 * @param begunAt when the import began: a deletion after that time stands
 */
export function planImport(
  responses: readonly Response[],
  states: ReadonlyMap<string, StoredState>,
  begunAt: Date,
): readonly ImportStep[] {
  const planned = new Set<string>();

  function plan(response: Response): ImportStep {
    const own = withOwnId(response);
    const isUnderOwnId = isOf(own, states.get(own.id));
    const isTaken = isOfOthers(response, states.get(response.id));
    const chosen = isUnderOwnId || isTaken ? own : response;
    const state = states.get(chosen.id);
    if (isOfOthers(chosen, state)) return { step: 'refuse' };
    if (planned.has(chosen.id) || state?.kind === 'stored') return { step: 'skip' };
    if (state?.kind === 'deleted' && state.at >= begunAt) return { step: 'skip' };
    planned.add(chosen.id);
    const replaced = state && { status: state.kind, revision: state.revision };
    return { step: 'store', response: chosen, replaced };
  }

  return responses.map(plan);
}

/** The ids that a response may be stored under. */
export function idsOf(response: Response): readonly string[] {
  return [response.id, toOwnId(response)];
}

function isOf({ surveyId }: Response, state: StoredState | undefined): boolean {
  return state !== undefined && state.kind !== 'void' && state.surveyId === surveyId;
}

function isOfOthers({ surveyId }: Response, state: StoredState | undefined): boolean {
  return state !== undefined && state.kind !== 'void' && state.surveyId !== surveyId;
}

function toOwnId({ id, tenantId, surveyId }: Response): string {
  return uuidOf(OWN_IDS, JSON.stringify([tenantId, surveyId, id]));
}

function withOwnId(response: Response): Response {
  const { id, externalId } = response;
  return { ...response, id: toOwnId(response), externalId: externalId ?? id };
}
