import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Survey } from './survey.ts';

/** A survey that a tenant has deleted, as it was found. */
export interface DeletedSurvey extends Pick<Survey, 'id' | 'tenantId' | 'version' | 'status' | 'revision'> {
  readonly deletedAt: Date;
}

/** What is left of a survey that was purged. */
export interface PurgedSurvey {
  readonly id: string;
  readonly tenantId: TenantId;
}

/** How long the responses to a survey are to be kept. */
export interface Retention {
  readonly surveyId: string;
  readonly tenantId: TenantId;
  readonly state: 'kept' | 'purged';
  /** Days after which a response is deleted; undefined when it is kept without end. */
  readonly retentionDays: number | undefined;
}
