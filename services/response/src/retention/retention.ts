import type { TenantId } from '@survey/runtime/auth/tenant-id';

/** What is to become of the responses to a survey. */
export type SurveyRetention = KeptSurvey | PurgedSurvey;

interface KeptSurvey {
  readonly state: 'kept';
  readonly surveyId: string;
  readonly tenantId: TenantId;
  /** Days after which a response is deleted; undefined when it is kept without end. */
  readonly retentionDays: number | undefined;
}

/** One that was deleted long ago: nothing of it is to be left. */
export interface PurgedSurvey {
  readonly state: 'purged';
  readonly surveyId: string;
  readonly tenantId: TenantId;
}

/** Why the service deletes responses by itself. */
export type DeletionCause = 'retention' | 'purge';

const DAY_MS = 24 * 60 * 60_000;

/** The time before which responses were created that are not kept any more; undefined when all are kept. */
export function endOfRetention(retentionDays: number | undefined, time: Date): Date | undefined {
  return retentionDays === undefined ? undefined : new Date(time.getTime() - retentionDays * DAY_MS);
}
