import { createHmac } from 'node:crypto';
import type { Delivery } from '@survey/client';
import { toCanonicalJson } from './canonical-json.ts';

/** The timeout of an attempt of the platform. */
export const TIMEOUT_MS = 30_000;

interface Forwarded {
  readonly isDelivered: boolean;
  /** The HTTP status or an error message. */
  readonly result: string;
}

/** Sends a delivery to a local receiver, as the platform would. Redirects are not followed. */
export async function forwardDelivery(
  { id, payload }: Delivery,
  { url, secret, signal }: { readonly url: string; readonly secret: string | undefined; readonly signal: AbortSignal },
): Promise<Forwarded> {
  const body = toCanonicalJson(payload);
  try {
    const reply = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Survey-Webhook/1.0',
        'x-service-delivery': id,
        ...(secret === undefined ? {} : sign(secret, id, body)),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    // An unread body would keep the connection open.
    await reply.body?.cancel();
    const location = reply.headers.get('location') ?? '';
    const isRedirect = reply.status >= 300 && reply.status < 400 && URL.canParse(location, url);
    const target = isRedirect ? `, a redirect to ${new URL(location, url).origin}` : '';
    return { isDelivered: reply.ok, result: `${reply.status}${target}` };
  } catch (error) {
    if (signal.aborted) throw error;
    const { message, cause } = error as Error;
    return { isDelivered: false, result: cause instanceof Error ? cause.message || message : message };
  }
}

/** Returns the headers of both signature schemes of docs/webhooks.md. */
function sign(secret: string, id: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const prefix = 'whsec_';
  const key = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : secret;
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
    'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
}
