import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Survey } from './survey.ts';

export interface DeletedSurvey extends Pick<Survey, 'id' | 'tenantId' | 'version' | 'status' | 'revision'> {
  readonly deletedAt: Date;
}

/** Identifies a survey. Still valid after the survey was purged, which means deleted for good. */
export interface SurveyKey {
  readonly id: string;
  readonly tenantId: TenantId;
}

/** Retention of the responses to a survey. `state`: whether the survey still exists (`kept`) or was purged. */
export interface Retention {
  readonly surveyId: string;
  readonly tenantId: TenantId;
  readonly state: 'kept' | 'purged';
  /** Days until a response is deleted; undefined means never. */
  readonly retentionDays: number | undefined;
}
