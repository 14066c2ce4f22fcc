import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { stringify } from 'uuid';

/**
 * Length of the secret key of a single-use link, in bytes. The tokens of the link are derived from the key. Each token
 * stands for the invitation of one respondent, and is for one response.
 */
export const LINK_TOKEN_KEY_BYTES = 32;

/** 128 bits for each half of a token: too many to guess, and still short enough for a URL. */
const HALF_BYTES = 16;
const TOKEN = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{22})$/;

/**
 * Derives the tokens of a batch from the key of the link and the id of the batch: `<id>.<mac>`, each half 22 characters
 * of base64url. The same batch always has the same tokens, so they need not be stored.
 */
export function toLinkTokens(key: Uint8Array, batchId: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    // The prefix `random` separates this use of the key from the MAC.
    const id = macOf(key, `random ${batchId} ${index}`);
    return `${id}.${macOf(key, `token ${id}`)}`;
  });
}

/** Whether a token was made with this key. Compares in constant time. */
export function isLinkToken(key: Uint8Array, token: string): boolean {
  const [, id, mac] = TOKEN.exec(token) ?? [];
  if (id === undefined || mac === undefined) return false;
  // Compare text, not bytes: several base64url texts decode to the same bytes.
  return timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(key, `token ${id}`)));
}

/**
 * The id of the invitation: the first half of the token as a UUID (RFC 9562, version 8). It reveals nothing of the MAC,
 * so it can be stored and shown.
 */
export function invitationIdOf(token: string): string {
  const bytes = Buffer.from(token.split('.', 1)[0] ?? '', 'base64url');
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return stringify(bytes);
}

/** HMAC-SHA256, truncated to 128 bits as RFC 2104 (section 5) allows. */
function macOf(key: Uint8Array, text: string): string {
  const mac = createHmac('sha256', createSecretKey(key)).update(text).digest();
  return mac.subarray(0, HALF_BYTES).toString('base64url');
}
