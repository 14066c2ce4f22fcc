import type { TenantId } from '@survey/runtime/auth/tenant-id';

/** Whether the responses to a survey are kept, and for how long. */
export type SurveyRetention = KeptSurvey | SurveyToPurge;

interface KeptSurvey {
  readonly state: 'kept';
  readonly surveyId: string;
  readonly tenantId: TenantId;
  /** Days after which a response is deleted; undefined if responses are kept forever. */
  readonly retentionDays: number | undefined;
}

/** A survey that was deleted long ago. All its data must be deleted. */
export interface SurveyToPurge {
  readonly state: 'purged';
  readonly surveyId: string;
  readonly tenantId: TenantId;
}

/** The reason for a deletion by the service itself. */
export type DeletionCause = 'retention' | 'purge';

const DAY_MS = 24 * 60 * 60_000;

/** Responses created before the returned time must be deleted. Returns undefined if all are kept. */
export function retentionCutoff(retentionDays: number | undefined, time: Date): Date | undefined {
  return retentionDays === undefined ? undefined : new Date(time.getTime() - retentionDays * DAY_MS);
}
