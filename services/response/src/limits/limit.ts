import type { Reason } from '@survey/runtime/errors/reasons';
import type { Snapshot, SurveyState } from '../definitions/definition.ts';
import type { LinkHead } from '../links/link.ts';
import type { ResponseHead } from '../responses/response.ts';
import type { LedgerScope } from './ledger.ts';

const FIRST_REVISION = 1;

/** How many completed responses a survey may have, or how many may come through a link. */
export interface Limit {
  /** Undefined for the survey's own. */
  readonly linkId: string | undefined;
  readonly max: number;
}

/** The limits that hold for a response to a survey, that of the link first. */
export function limitsOf(
  { settings }: Pick<SurveyState, 'settings'>,
  link?: Pick<LinkHead, 'id' | 'maxResponses'>,
): readonly Limit[] {
  const { responseLimit } = settings;
  return [
    ...(link?.maxResponses === undefined ? [] : [{ linkId: link.id, max: link.maxResponses }]),
    ...(responseLimit === undefined ? [] : [{ linkId: undefined, max: responseLimit }]),
  ];
}

/** The survey and the link that a response comes through, as far as they have no limit. */
export function unlimitedScopesOf(
  { tenantId, surveyId, settings }: Pick<Snapshot, 'tenantId' | 'surveyId' | 'settings'>,
  link?: Pick<LinkHead, 'id' | 'maxResponses' | 'revision'>,
): readonly LedgerScope[] {
  const survey = { tenantId, surveyId, linkId: undefined };
  // A link that was never changed has no ledger from a former limit.
  const isUnlimited = link !== undefined && link.maxResponses === undefined && link.revision > FIRST_REVISION;
  return [
    ...(settings.responseLimit === undefined ? [survey] : []),
    ...(isUnlimited ? [{ ...survey, linkId: link.id }] : []),
  ];
}

/** The error for a response that would exceed a limit. */
export function toLimitError({ linkId }: Limit): Reason {
  return linkId === undefined ? 'RESPONSE_LIMIT_REACHED' : 'LINK_USED_UP';
}

/** Whether a response counts for limits. Responses in progress and disqualified ones do not. */
export function takesSeat({ status }: Pick<ResponseHead, 'status'>): boolean {
  return status === 'completed';
}
