const STANDARD_PREFIX = 'whsec_';

/** `CryptoKey`, which is a global type in browsers only. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

/** The key of Standard Webhooks: base64 after the prefix, or the bytes of a secret without prefix. */
export function keyOfSecret(secret: string): Promise<Key> {
  if (!secret.startsWith(STANDARD_PREFIX)) return textKey(secret);
  const bytes = decodeBase64(secret.slice(STANDARD_PREFIX.length));
  if (bytes === undefined) throw new TypeError(`a secret must be base64 after ${STANDARD_PREFIX}`);
  return importKey(bytes);
}

/** The key of the body signature: the whole secret. */
export function textKey(secret: string): Promise<Key> {
  return importKey(new TextEncoder().encode(secret));
}

function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<Key> {
  if (bytes.length === 0) throw new TypeError('a secret is empty');
  const key = crypto.subtle.importKey('raw', bytes, ALGORITHM, false, ['verify']);
  // Requests that await the key report a failure. Before the first request, a failure must not count as unhandled.
  key.catch(() => undefined);
  return key;
}

/** Whether one of the signatures is right. Each comparison takes constant time. */
export async function isSigned(
  keys: readonly Key[],
  signatures: readonly Uint8Array[],
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const pairs = keys.flatMap((key) => signatures.map((signature) => ({ key, signature: Uint8Array.from(signature) })));
  const results = await Promise.all(
    pairs.map(({ key, signature }) => crypto.subtle.verify(ALGORITHM, key, signature, content)),
  );
  return results.includes(true);
}

/** Undefined if the text is not base64 with padding. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Undefined if the text is not an even number of hexadecimal digits. */
export function decodeHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[0-9a-f]{2})*$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
