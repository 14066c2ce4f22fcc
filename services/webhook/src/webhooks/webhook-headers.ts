import type { Envelope } from '@survey/runtime/crypto/envelope';
import { type GivenHeader, HIDDEN_VALUE, isSameName } from './header-rules.ts';
import { originOf, type Webhook, type WebhookHeader } from './webhook.ts';

/** Encrypts the values of a webhook's headers, which may be tokens. */
export interface WebhookHeaders {
  /**
   * Adds, replaces or removes (null) the given headers. A hidden value keeps the stored one. Returns all headers.
   *
   * @param origin of the receiver for which the values are given
   */
  merge(webhook: HeadersOf, given: readonly GivenHeader[], origin: string): Promise<readonly WebhookHeader[]>;
  /** Returns the headers for the URL of the webhook. Values that were set for another origin are left out. */
  open(webhook: HeadersOf & Pick<Webhook, 'url'>): Promise<Readonly<Record<string, string>>>;
}

type HeadersOf = Pick<Webhook, 'id' | 'tenantId' | 'headers'>;

export function createWebhookHeaders(envelope: Pick<Envelope, 'encrypt' | 'decrypt'>): WebhookHeaders {
  async function openOne({ id, tenantId }: HeadersOf, { name, value }: WebhookHeader): Promise<string> {
    return Buffer.from(await envelope.decrypt(tenantId, aadOf(id, name), value)).toString();
  }

  return {
    async merge(webhook, given, origin) {
      const { id, tenantId } = webhook;
      let headers = webhook.headers;
      for (const { name, value } of given) {
        if (value === HIDDEN_VALUE) continue;
        const before = headers.find((header) => isSameName(header.name, name));
        // Keep the ciphertext of an unchanged value.
        const isForOrigin = before?.name === name && (before.origin ?? origin) === origin;
        if (isForOrigin && value === (await openOne(webhook, before))) continue;
        const others = headers.filter((header) => header !== before);
        if (value === null) headers = others;
        else {
          const sealed = await envelope.encrypt(tenantId, aadOf(id, name), Buffer.from(value));
          headers = [...others, { name, value: sealed, origin }];
        }
      }
      return headers;
    },

    async open(webhook) {
      // A process of the previous release may have moved the webhook together with its values.
      const current = originOf(webhook);
      const own = webhook.headers.filter(({ origin = current }) => origin === current);
      const opened = own.map(async (header) => [header.name, await openOne(webhook, header)] as const);
      return Object.fromEntries(await Promise.all(opened));
    },
  };
}

function aadOf(webhookId: string, name: string): readonly string[] {
  return ['webhook', webhookId, 'header', name.toLowerCase()];
}
