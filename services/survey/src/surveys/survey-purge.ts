import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Survey } from './survey.ts';

export interface DeletedSurvey extends Pick<Survey, 'id' | 'tenantId' | 'version' | 'status' | 'revision'> {
  readonly deletedAt: Date;
}

/** A purge record. */
export interface PurgedSurvey {
  readonly id: string;
  readonly tenantId: TenantId;
}

/** The retention of responses to a survey. */
export interface Retention {
  readonly surveyId: string;
  readonly tenantId: TenantId;
  readonly state: 'kept' | 'purged';
  /** Days until a response is deleted; undefined means never. */
  readonly retentionDays: number | undefined;
}
