import { randomUUID } from 'node:crypto';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { Binary } from 'mongodb';
import type { SealedResponse } from '../responses/response.ts';
import { statusEvents } from '../responses/response-events.ts';
import type { Limit, PendingResponse } from '../seats/limit.ts';

const sealed = { v: 1, kv: 1, iv: new Binary(), ct: new Binary(), tag: new Binary() } as const;

export function newSealed(
  survey: { readonly tenantId: TenantId; readonly surveyId: string },
  overrides: Partial<SealedResponse> = {},
): SealedResponse {
  const time = new Date('2024-05-01T10:00:00.000Z');
  return {
    id: randomUUID(),
    ...survey,
    surveyVersion: 1,
    status: 'completed',
    createdAt: time,
    updatedAt: time,
    startedAt: undefined,
    completedAt: time,
    language: undefined,
    linkId: undefined,
    invitationId: undefined,
    externalId: undefined,
    revision: 1,
    data: sealed,
    metadata: undefined,
    requestHash: undefined,
    ...overrides,
  };
}

/** A completed response to store within limits. With a revision above 1, it replaces the response in progress. */
export function newPendingResponse(
  response: SealedResponse,
  limits: readonly Limit[],
  replaced: PendingResponse['replaced'] = inProgressBefore(response),
): PendingResponse {
  return { response, replaced, events: statusEvents(response, ''), recheck: () => undefined, limits };
}

function inProgressBefore({ revision }: SealedResponse): PendingResponse['replaced'] {
  return revision === 1 ? undefined : { status: 'in_progress', revision: revision - 1 };
}
