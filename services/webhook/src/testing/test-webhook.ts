import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { Binary } from 'mongodb';
import type { Webhook } from '../webhooks/webhook.ts';
import { fromDocument } from '../webhooks/webhook-store.ts';

const bytes = new Binary(Buffer.from('sealed'));

/**
 * An active webhook for all events. Its secret cannot be decrypted. New members have the default that older documents
 * get.
 */
export function testWebhook(members: Partial<Webhook> = {}): Webhook {
  const stored = fromDocument({
    _id: 'webhook-1',
    tenant_id: toTenantId('tenant-1'),
    url: 'http://receiver.test/',
    event_types: ['*'],
    survey_ids: [],
    include_answers: false,
    active: true,
    disabled_reason: null,
    description: '',
    headers: [],
    secret: { v: 1, kv: 1, iv: bytes, ct: bytes, tag: bytes },
    rotation_id: null,
    previous_secret: null,
    revision: 1,
    created_at: new Date(0),
    updated_at: new Date(0),
    outbox: [],
    slot: 0,
  });
  return { ...stored, ...members };
}
