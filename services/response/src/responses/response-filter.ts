import type { ResponseStatus } from './response.ts';

/** Selects the responses of a survey that match all members that are present. */
export interface ResponseFilter {
  readonly surveyId: string;
  readonly surveyVersion?: number | undefined;
  readonly status?: ResponseStatus | undefined;
  readonly linkId?: string | undefined;
  readonly language?: string | undefined;
  /** Stored at this time or later. */
  readonly since?: Date | undefined;
  /** Stored before this time. */
  readonly until?: Date | undefined;
  /** Last changed at this time or later. */
  readonly updatedSince?: Date | undefined;
  /** Completed or disqualified at this time or later. */
  readonly completedSince?: Date | undefined;
  /** Completed or disqualified before this time. */
  readonly completedUntil?: Date | undefined;
}
