import type { Envelope } from '@survey/runtime/crypto/envelope';
import { type GivenHeader, HIDDEN_VALUE, isSameName } from './header-rules.ts';
import type { Webhook, WebhookHeader } from './webhook.ts';

/** Encrypts the values of a webhook's headers, which may be tokens. */
export interface WebhookHeaders {
  /** Adds, replaces or removes (null) the given headers. A hidden value keeps the stored one. Returns all headers. */
  merge(webhook: HeadersOf, given: readonly GivenHeader[]): Promise<readonly WebhookHeader[]>;
  open(webhook: HeadersOf): Promise<Readonly<Record<string, string>>>;
}

type HeadersOf = Pick<Webhook, 'id' | 'tenantId' | 'headers'>;

export function createWebhookHeaders(envelope: Pick<Envelope, 'encrypt' | 'decrypt'>): WebhookHeaders {
  async function openOne({ id, tenantId }: HeadersOf, { name, value }: WebhookHeader): Promise<string> {
    return Buffer.from(await envelope.decrypt(tenantId, aadOf(id, name), value)).toString();
  }

  return {
    async merge(webhook, given) {
      const { id, tenantId } = webhook;
      let headers = webhook.headers;
      for (const { name, value } of given) {
        if (value === HIDDEN_VALUE) continue;
        const before = headers.find((header) => isSameName(header.name, name));
        // Keep the ciphertext of an unchanged value.
        if (before?.name === name && value === (await openOne(webhook, before))) continue;
        const others = headers.filter((header) => header !== before);
        if (value === null) headers = others;
        else
          headers = [...others, { name, value: await envelope.encrypt(tenantId, aadOf(id, name), Buffer.from(value)) }];
      }
      return headers;
    },

    async open(webhook) {
      const opened = webhook.headers.map(async (header) => [header.name, await openOne(webhook, header)] as const);
      return Object.fromEntries(await Promise.all(opened));
    },
  };
}

function aadOf(webhookId: string, name: string): readonly string[] {
  return ['webhook', webhookId, 'header', name.toLowerCase()];
}
