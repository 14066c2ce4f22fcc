import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { Binary } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { Link } from './link.ts';
import { linkEvent } from './link-service.ts';

const time = new Date('2031-02-03T04:05:06Z');
const tenantId = toTenantId('t1');
const by = { tenantId, actor: 'user-1', requestId: 'r-1', traceparent: '' };
const secret = (): EncryptedRecord => {
  const bytes = new Binary(Buffer.from('sealed'));
  return { v: 1, kv: 1, iv: bytes, ct: bytes, tag: bytes };
};
const link: Link = {
  id: 'l-1',
  tenantId,
  surveyId: 's-1',
  slug: 'lunch',
  isSlugChosen: true,
  active: true,
  expiresAt: time,
  maxResponses: 5,
  sealedTokenKey: secret(),
  tokenBatch: undefined,
  sealedPasswordHash: secret(),
  sealedMetadata: undefined,
  revision: 1,
  createdAt: time,
  updatedAt: time,
  createdBy: 'user-1',
  updatedBy: 'user-1',
};
const changed = (change: Partial<Link>): Link => ({ ...link, revision: 2, ...change });

interface AuditData {
  readonly action: string;
  readonly changes: readonly unknown[];
}

function dataOf({ value }: OutboxEvent): AuditData {
  const { data } = fromBinary(EventSchema, value.value());
  // auditEvent writes this shape.
  return data as unknown as AuditData;
}

describe('link audit events', () => {
  it('have all members of a new link except its secrets', () => {
    const data = dataOf(linkEvent(by, 'link.created', undefined, link, 3));
    expect(data).toMatchObject({ action: 'link.created', resource_type: 'link', resource_id: 'l-1', actor: 'user-1' });
    expect(data.changes).toEqual([
      { path: '/survey_id', after: 's-1' },
      { path: '/slug', after: 'lunch' },
      { path: '/active', after: true },
      { path: '/expires_at', after: '2031-02-03T04:05:06.000Z' },
      { path: '/max_responses', after: 5 },
      { path: '/single_use', after: true },
      { path: '/has_password', after: true },
      { path: '/has_metadata', after: false },
      { path: '/password', after: 'set' },
      { path: '/new_tokens', after: 3 },
    ]);
    expect(JSON.stringify(data)).not.toContain('sealed');
  });

  it('have the changed members', () => {
    const after = changed({ slug: 'dinner', expiresAt: undefined });
    expect(dataOf(linkEvent(by, 'link.updated', link, after)).changes).toEqual([
      { path: '/slug', before: 'lunch', after: 'dinner' },
      { path: '/expires_at', before: '2031-02-03T04:05:06.000Z' },
    ]);
  });

  it('report a new or removed password', () => {
    const another = dataOf(linkEvent(by, 'link.updated', link, changed({ sealedPasswordHash: secret() })));
    expect(another.changes).toEqual([{ path: '/password', after: 'set' }]);
    const none = dataOf(linkEvent(by, 'link.updated', link, changed({ sealedPasswordHash: undefined })));
    expect(none.changes).toEqual([{ path: '/has_password', before: true, after: false }]);
  });

  it('report new or removed metadata without its values', () => {
    const set = changed({ sealedMetadata: secret() });
    expect(dataOf(linkEvent(by, 'link.updated', link, set)).changes).toEqual([
      { path: '/has_metadata', before: false, after: true },
      { path: '/metadata', after: 'set' },
    ]);
    const none = changed({ sealedMetadata: undefined, revision: 3 });
    expect(dataOf(linkEvent(by, 'link.updated', set, none)).changes).toEqual([
      { path: '/has_metadata', before: true, after: false },
    ]);
  });

  it('have the number of new tokens', () => {
    const data = dataOf(linkEvent(by, 'link.tokens_created', link, changed({ tokenBatch: 'b-1' }), 100));
    expect(data.changes).toEqual([{ path: '/new_tokens', after: 100 }]);
  });

  it('have all members of a deleted link', () => {
    const { changes } = dataOf(linkEvent(by, 'link.deleted', link, changed({})));
    expect(changes).toContainEqual({ path: '/slug', before: 'lunch' });
    expect(changes).toHaveLength(8);
  });
});
