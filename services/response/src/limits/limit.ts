import type { ErrorCode } from '@survey/runtime/errors/error-codes';
import type { Snapshot, SurveyState } from '../definitions/definition.ts';
import type { LinkFields } from '../links/link.ts';
import type { ResponseFields } from '../responses/response.ts';
import type { LedgerScope } from './ledger.ts';

const FIRST_REVISION = 1;

/** Maximum number of completed responses to a survey, or through a link. */
export interface Limit {
  /** Undefined for the limit of the survey. */
  readonly linkId: string | undefined;
  readonly max: number;
}

/** The limits that apply to a response, that of the link first. */
export function limitsOf(
  { settings }: Pick<SurveyState, 'settings'>,
  link?: Pick<LinkFields, 'id' | 'maxResponses'>,
): readonly Limit[] {
  const { responseLimit } = settings;
  return [
    ...(link?.maxResponses === undefined ? [] : [{ linkId: link.id, max: link.maxResponses }]),
    ...(responseLimit === undefined ? [] : [{ linkId: undefined, max: responseLimit }]),
  ];
}

/**
 * Returns the scopes of a response that have no limit now, and may have a ledger from a former limit: its survey, and
 * its link.
 */
export function unlimitedScopesOf(
  { tenantId, surveyId, settings }: Pick<Snapshot, 'tenantId' | 'surveyId' | 'settings'>,
  link?: Pick<LinkFields, 'id' | 'maxResponses' | 'revision'>,
): readonly LedgerScope[] {
  const survey = { tenantId, surveyId, linkId: undefined };
  // A link that was never changed cannot have a ledger from a former limit.
  const isUnlimited = link !== undefined && link.maxResponses === undefined && link.revision > FIRST_REVISION;
  return [
    ...(settings.responseLimit === undefined ? [survey] : []),
    ...(isUnlimited ? [{ ...survey, linkId: link.id }] : []),
  ];
}

/** The error code for a response that would exceed a limit. */
export function toLimitError({ linkId }: Limit): ErrorCode {
  return linkId === undefined ? 'RESPONSE_LIMIT_REACHED' : 'LINK_USED_UP';
}

/** Only completed responses count toward limits. */
export function takesSeat({ status }: Pick<ResponseFields, 'status'>): boolean {
  return status === 'completed';
}
