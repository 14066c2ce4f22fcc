import { randomUUID } from 'node:crypto';
import { type TenantId, toTenantId } from '@survey/runtime/auth/tenant-id';
import { Binary } from 'mongodb';
import type { Response, SealedResponse } from '../responses/response.ts';
import type { ResponseDocument } from '../responses/response-document-store.ts';
import { statusEvents } from '../responses/response-events.ts';
import { randomSamplingKey } from '../responses/sample-store.ts';
import type { Limit, PendingResponse } from '../seats/limit.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';

export function newResponse({ tenantId, surveyId, version }: CompiledSurvey, given: Partial<Response> = {}): Response {
  const time = new Date('2024-05-01T10:00:00.000Z');
  return {
    id: randomUUID(),
    tenantId,
    surveyId,
    surveyVersion: version,
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
    data: {},
    metadata: undefined,
    ...given,
  };
}

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

/** The document of a completed response without an idempotency key. Its answers cannot be decrypted. */
export function newResponseDocument(given: Partial<ResponseDocument> = {}): ResponseDocument {
  const time = new Date('2026-01-01T00:00:00Z');
  return {
    _id: randomUUID(),
    tenant_id: toTenantId('ours'),
    survey_id: randomUUID(),
    survey_version: 1,
    status: 'completed',
    created_at: time,
    updated_at: time,
    started_at: null,
    completed_at: time,
    language: null,
    link_id: null,
    external_id: null,
    revision: 1,
    data: sealed,
    metadata: null,
    request_hash: null,
    draw: randomSamplingKey(Math.random),
    outbox: [],
    ...given,
  };
}
