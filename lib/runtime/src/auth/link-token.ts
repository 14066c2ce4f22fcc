import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

/** Bytes of the key that the tokens of a single-use link come from. */
export const LINK_TOKEN_KEY_BYTES = 32;

/** 128 bits for each half of a token: nobody guesses one, and it stays short enough for an address. */
const HALF_BYTES = 16;
const TOKEN = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{22})$/;

/**
 * The tokens of a batch: `<random>.<mac>`, each half 22 characters of base64url. They follow from the key and the id of
 * the batch, so that the same batch is the same tokens; there is no list of them anywhere. Who takes one remembers it.
 */
export function toLinkTokens(key: Uint8Array, batchId: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const random = macOf(key, `random ${batchId} ${index}`);
    return `${random}.${macOf(key, `token ${random}`)}`;
  });
}

/** Whether a token was made with this key, in constant time. Each token has one spelling that is taken. */
export function isLinkToken(key: Uint8Array, token: string): boolean {
  const [, random, mac] = TOKEN.exec(token) ?? [];
  if (random === undefined || mac === undefined) return false;
  // Compared as text: of base64url several spellings give the same bytes.
  return timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(key, `token ${random}`)));
}

/** HMAC-SHA256 cut to half its length, which RFC 2104 (section 5) allows. */
function macOf(key: Uint8Array, text: string): string {
  const mac = createHmac('sha256', createSecretKey(key)).update(text).digest();
  return mac.subarray(0, HALF_BYTES).toString('base64url');
}
