import { create } from '@bufbuild/protobuf';
import { CreateWebhookRequestSchema } from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { Binary } from 'mongodb';
import { toNewWebhook } from '../webhook-mapper.ts';
import type { Webhook } from '../webhooks/webhook.ts';

const bytes = new Binary(Buffer.from('sealed'));

/** A webhook for all events, with the default settings. Its secret cannot be decrypted. */
export function testWebhook(members: Partial<Webhook> = {}): Webhook {
  const request = create(CreateWebhookRequestSchema, { url: 'http://receiver.test/', eventTypes: ['*'] });
  return {
    ...toNewWebhook(request),
    id: 'webhook-1',
    tenantId: toTenantId('tenant-1'),
    hasIncludedAnswers: false,
    disabledReason: undefined,
    headers: [],
    secret: { v: 1, kv: 1, iv: bytes, ct: bytes, tag: bytes },
    rotationId: undefined,
    previousSecret: undefined,
    revision: 1,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    ...members,
  };
}
