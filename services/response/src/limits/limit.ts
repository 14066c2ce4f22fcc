import type { Reason } from '@survey/runtime/errors/reasons';
import type { SurveyState } from '../definitions/definition.ts';
import type { Link } from '../links/link.ts';
import type { ResponseHead } from '../responses/response.ts';

/** How many completed responses there may be at the most: of a survey, or of those that came through a link. */
export interface Limit {
  /** Undefined for the survey's own. */
  readonly linkId: string | undefined;
  readonly max: number;
}

/** The limits that a response to a survey has to keep, the narrowest first. */
export function limitsOf(
  { settings }: Pick<SurveyState, 'settings'>,
  link?: Pick<Link, 'id' | 'maxResponses'>,
): readonly Limit[] {
  const { responseLimit } = settings;
  return [
    ...(link?.maxResponses === undefined ? [] : [{ linkId: link.id, max: link.maxResponses }]),
    ...(responseLimit === undefined ? [] : [{ linkId: undefined, max: responseLimit }]),
  ];
}

/** Why a response is refused that would go beyond a limit. */
export function refusalOf({ linkId }: Limit): Reason {
  return linkId === undefined ? 'RESPONSE_LIMIT_REACHED' : 'LINK_USED_UP';
}

/** Whether a response takes a place within limits. One in progress holds none, and who is disqualified leaves it free. */
export function takesPlace({ status }: Pick<ResponseHead, 'status'>): boolean {
  return status === 'completed';
}
