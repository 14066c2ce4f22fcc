import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { Binary, BSON } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { bytesOf } from './group-commit.ts';
import type { ResponseDocument } from './response-document-store.ts';

const id = '0'.repeat(36);
const record = (bytes: number) => ({
  v: 1 as const,
  kv: 1_000_000,
  iv: new Binary(new Uint8Array(12)),
  ct: new Binary(new Uint8Array(bytes)),
  tag: new Binary(new Uint8Array(16)),
});
const event = (bytes: number): OutboxEvent => ({
  id,
  topic: 'response.events',
  key: id,
  type: 'response.submitted',
  source: '/responses',
  at: new Date(),
  value: new Binary(new Uint8Array(bytes)),
  headers: { traceparent: '0'.repeat(55) },
});
/** A document with all fields, as long as they can be. */
const documentWith = (answerBytes: number, metadataBytes: number, eventBytes: readonly number[]): ResponseDocument => ({
  _id: id,
  tenant_id: toTenantId(id),
  survey_id: id,
  survey_version: 1_000_000,
  status: 'disqualified',
  created_at: new Date(),
  updated_at: new Date(),
  started_at: new Date(),
  completed_at: new Date(),
  language: 'x'.repeat(35),
  link_id: id,
  sealed_external_id: { record: record(4 * 256), tag: 'x'.repeat(43) },
  revision: 1,
  data: record(answerBytes),
  metadata: record(metadataBytes),
  request_hash: { kv: 1, mac: new Binary(new Uint8Array(32)) },
  draw: '0123456789abcdef',
  outbox: eventBytes.map(event),
});

describe('bytesOf', () => {
  it.each([
    [0, 0, []],
    [300, 0, [200]],
    [2_000_000, 16_000, [500_000, 1_000, 0]],
  ])('is slightly more than the size of a document: %i, %i, %j', (answers, metadata, events) => {
    const document = documentWith(answers, metadata, events);
    const actual = BSON.calculateObjectSize(document);
    expect(bytesOf(document)).toBeGreaterThanOrEqual(actual);
    expect(bytesOf(document)).toBeLessThan(actual + 2048 * (events.length + 1));
  });
});
