import type { AllowedQuery } from './query-profile.ts';

/** Queries of the services that may examine much more than they return, each with its reason. */
export const allowedQueries: readonly AllowedQuery[] = [];
