import type { Envelope } from '@survey/runtime/crypto/envelope';
import { type GivenHeader, HIDDEN_VALUE, isSameName } from './header-rules.ts';
import type { Webhook, WebhookHeader } from './webhook.ts';

/** Keeps the values of a webhook's headers encrypted: some are tokens. */
export interface WebhookHeaders {
  /**
   * The headers of a webhook with those that are given: in place of one of the same name, or none in its place. A hidden
   * value leaves it as it is.
   */
  merge(webhook: HeadersOf, given: readonly GivenHeader[]): Promise<readonly WebhookHeader[]>;
  open(webhook: HeadersOf): Promise<Readonly<Record<string, string>>>;
}

type HeadersOf = Pick<Webhook, 'id' | 'tenantId' | 'headers'>;

export function createWebhookHeaders(envelope: Pick<Envelope, 'encrypt' | 'decrypt'>): WebhookHeaders {
  async function openOne({ id, tenantId }: HeadersOf, { name, value }: WebhookHeader): Promise<string> {
    return Buffer.from(await envelope.decrypt(tenantId, placeOf(id, name), value)).toString();
  }

  return {
    async merge(webhook, given) {
      const { id, tenantId } = webhook;
      let headers = webhook.headers;
      for (const { name, value } of given) {
        if (value === HIDDEN_VALUE) continue;
        const before = headers.find((header) => isSameName(header.name, name));
        // What is the same already changes nothing.
        if (before?.name === name && value === (await openOne(webhook, before))) continue;
        const others = headers.filter((header) => header !== before);
        if (value === null) headers = others;
        else
          headers = [
            ...others,
            { name, value: await envelope.encrypt(tenantId, placeOf(id, name), Buffer.from(value)) },
          ];
      }
      return headers;
    },

    async open(webhook) {
      const opened = webhook.headers.map(async (header) => [header.name, await openOne(webhook, header)] as const);
      return Object.fromEntries(await Promise.all(opened));
    },
  };
}

function placeOf(webhookId: string, name: string): readonly string[] {
  return ['webhook', webhookId, 'header', name.toLowerCase()];
}
