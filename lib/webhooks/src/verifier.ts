import type { WebhookEvent } from './generated/events.ts';
import { type Header, headerReader } from './header-reader.ts';
import { decodeBase64, decodeHex, isSigned, keyOfSecret, textKey } from './signature.ts';
import { VerificationError } from './verification-error.ts';

/** Options of a verifier. */
export interface VerifierOptions {
  /**
   * The secret of the webhook, or several secrets in any order. Pass the old and the new one during a rotation: a
   * request that is signed with one of them is genuine.
   */
  readonly secret: string | readonly string[];
  /**
   * The signature to verify. `standard` (default): `webhook-id`, `webhook-timestamp` and `webhook-signature` of
   * Standard Webhooks. `body`: `X-Service-Signature`, which does not protect against replays.
   */
  readonly scheme?: 'standard' | 'body';
  /** Maximum difference between `webhook-timestamp` and the current time in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Prefix of the header with the scheme `body`, if the operator has changed it. Default: `X-Service`. */
  readonly headerPrefix?: string;
  /** The current time in milliseconds, for tests. Default: `Date.now`. */
  readonly now?: () => number;
}

/** A received request. */
export interface Delivery {
  /** Headers of the request: those of a `Request`, or of Node. */
  readonly headers: Headers | Readonly<Record<string, Header>>;
  /** The body as it was received. Do not parse and serialise it before: this changes bytes. */
  readonly body: Uint8Array | string;
}

/** Returns the event of a genuine request. Rejects with a `VerificationError` otherwise. */
export type Verifier = (delivery: Delivery) => Promise<WebhookEvent>;

const DEFAULT_TOLERANCE_SECONDS = 300;
/** The platform sends two signatures at most. */
const MAX_SIGNATURES = 10;
const STANDARD_VERSION = 'v1,';
const BODY_PREFIX = 'sha256=';

/** Creates a verifier of deliveries. Throws if a secret is empty or malformed. */
export function createVerifier(options: VerifierOptions): Verifier {
  const isStandard = options.scheme !== 'body';
  const secrets = typeof options.secret === 'string' ? [options.secret] : options.secret;
  if (secrets.length === 0) throw new TypeError('secret is missing');
  const keys = secrets.map(isStandard ? keyOfSecret : textKey);
  const read = isStandard ? readStandard(options) : readBodySignature(options);

  return async ({ headers, body }) => {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const { signatures, prefix } = read(headerReader(headers));
    const content = join(new TextEncoder().encode(prefix), bytes);
    if (!(await isSigned(await Promise.all(keys), signatures, content)))
      throw new VerificationError('WRONG_SIGNATURE', 'No signature fits the body and the secret');
    return parseEvent(bytes);
  };
}

interface Signed {
  readonly signatures: readonly Uint8Array[];
  /** The part of the signed text that precedes the body. */
  readonly prefix: string;
}

type Read = (header: (name: string) => string) => Signed;

function readStandard({ toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = Date.now }: VerifierOptions): Read {
  return (header) => {
    const id = header('webhook-id');
    const timestamp = header('webhook-timestamp');
    const listed = header('webhook-signature').split(' ', MAX_SIGNATURES);
    if (!/^\d{1,12}$/.test(timestamp))
      throw new VerificationError('INVALID_TIMESTAMP', 'webhook-timestamp is not a time in seconds');
    if (Math.abs(now() / 1000 - Number(timestamp)) > toleranceSeconds)
      throw new VerificationError('TIMESTAMP_OUT_OF_TOLERANCE', 'webhook-timestamp is too far from the current time');
    const signatures = listed
      .filter((one) => one.startsWith(STANDARD_VERSION))
      .map((one) => decodeBase64(one.slice(STANDARD_VERSION.length)));
    return { signatures: signatures.filter((one) => one !== undefined), prefix: `${id}.${timestamp}.` };
  };
}

function readBodySignature({ headerPrefix = 'X-Service' }: VerifierOptions): Read {
  return (header) => {
    const value = header(`${headerPrefix}-Signature`);
    const signature = value.startsWith(BODY_PREFIX) ? decodeHex(value.slice(BODY_PREFIX.length)) : undefined;
    return { signatures: signature === undefined ? [] : [signature], prefix: '' };
  };
}

function join(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function parseEvent(bytes: Uint8Array): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    event = undefined;
  }
  if (!isEvent(event)) throw new VerificationError('INVALID_BODY', 'The body is not an event');
  return event;
}

/** The platform has signed the event, so its members need no check. */
function isEvent(value: unknown): value is WebhookEvent {
  return typeof value === 'object' && value !== null && 'event' in value && typeof value.event === 'string';
}
