import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { Binary } from 'mongodb';
import type { ResponseDocument } from '../responses/response-document-store.ts';
import { randomSamplingKey } from '../responses/sample-store.ts';

const bytes = new Binary();
const time = new Date('2026-01-01T00:00:00Z');

/** The document of a completed response without an idempotency key. Its answers cannot be decrypted. */
export function newResponseDocument(given: Partial<ResponseDocument> = {}): ResponseDocument {
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
    data: { v: 1, kv: 1, iv: bytes, ct: bytes, tag: bytes },
    metadata: null,
    request_hash: null,
    draw: randomSamplingKey(Math.random),
    outbox: [],
    ...given,
  };
}
