import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { toPointerToken } from '@survey/runtime/json/pointer';
import { originOf, type Webhook, type WebhookHeader } from './webhook.ts';

/** A member of `headers` in an API request: a header to send to the receiver. Null removes it. */
export interface GivenHeader {
  readonly name: string;
  readonly value: string | null;
}

/** Shown in place of a stored value. */
export const HIDDEN_VALUE = '********';

const MAX_HEADERS = 20;
/** A patch can remove all headers and set as many others. */
const MAX_GIVEN = 2 * MAX_HEADERS;
const MAX_NAME = 64;
const MAX_VALUE = 2_048;
/** Maximum size of names and values together. Most receivers accept it with the headers of the platform. */
const MAX_CHARACTERS = 8_192;

const TOO_MANY_HEADERS: FieldProblem = {
  path: '/headers',
  code: 'TOO_MANY_HEADERS',
  detail: `A webhook can have at most ${MAX_HEADERS} headers`,
};

const NAME = /^[A-Za-z0-9-]+$/;
/** Printable ASCII without leading and trailing spaces, which HTTP removes. */
const VALUE = /^(?! )[\x20-\x7e]*(?<! )$/;

/** Headers of the connection (RFC 9110, section 7.6.1), the message, proxies and traces. */
const RESERVED = new Set([
  'accept-encoding',
  'baggage',
  'connection',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'x-real-ip',
]);
const RESERVED_PREFIXES = ['content-', 'webhook-', 'x-forwarded-'];

function isReserved(name: string, prefix: string): boolean {
  const lower = name.toLowerCase();
  return (
    RESERVED.has(lower) || [...RESERVED_PREFIXES, `${prefix.toLowerCase()}-`].some((start) => lower.startsWith(start))
  );
}

/** Reads `headers` of an API request. If there are problems, `given` is empty. */
export function readHeaders(
  headers: JsonObject,
  platformPrefix: string,
): { readonly given: readonly GivenHeader[]; readonly problems: readonly FieldProblem[] } {
  const given = Object.entries(headers).map(([name, value]) => ({ name, value }));
  if (given.length > MAX_GIVEN) return { given: [], problems: [TOO_MANY_HEADERS] };
  const names = given.map(({ name }) => name.toLowerCase());
  const problems = given.flatMap(({ name, value }, index) => {
    const problem = (code: string, detail: string) => [{ path: `/headers${toPointerToken(name)}`, code, detail }];
    if (!NAME.test(name) || name.length > MAX_NAME)
      return problem('INVALID_HEADER_NAME', `The name must have 1 to ${MAX_NAME} letters, digits and hyphens`);
    if (names.indexOf(name.toLowerCase()) !== index)
      return problem('HEADER_TWICE', 'The header occurs twice; the case of names does not matter');
    if (isReserved(name, platformPrefix))
      return problem('HEADER_RESERVED', 'The platform sets this header; use another name');
    if (!isValue(value))
      return problem(
        'INVALID_HEADER_VALUE',
        `The value must be a string of at most ${MAX_VALUE} printable ASCII characters, without spaces at its ends`,
      );
    return [];
  });
  // Without problems, all values are strings or null.
  return { given: problems.length > 0 ? [] : (given as readonly GivenHeader[]), problems };
}

/** Checks that each hidden value stands for a stored header of the same name. */
export function checkHiddenValues(
  given: readonly GivenHeader[],
  kept: readonly { readonly name: string }[],
): readonly FieldProblem[] {
  const detail = 'There is no stored value for this header; asterisks keep the value of an existing header';
  return given
    .filter(({ name, value }) => value === HIDDEN_VALUE && !kept.some((header) => isSameName(header.name, name)))
    .map(({ name }) => ({ path: `/headers${toPointerToken(name)}`, code: 'HIDDEN_HEADER_VALUE', detail }));
}

/** Checks that no stored value stays when the URL moves to another origin: it may be a secret of the former receiver. */
export function checkMovedValues(
  given: readonly GivenHeader[],
  stored: readonly { readonly name: string }[],
): readonly FieldProblem[] {
  const detail =
    'The stored value is for another scheme, host or port; send the value again, or null to remove the header';
  return stored.flatMap(({ name }) => {
    const sent = given.find((header) => isSameName(header.name, name));
    if (sent !== undefined && sent.value !== HIDDEN_VALUE) return [];
    return [{ path: `/headers${toPointerToken(sent?.name ?? name)}`, code: 'HIDDEN_HEADER_VALUE', detail }];
  });
}

/** Header names are case-insensitive (RFC 9110, section 5.1). */
function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Checks the number and total size of the headers of a webhook. */
export function checkHeaderSizes(headers: readonly { readonly name: string; readonly size: number }[]): FieldProblem[] {
  const path = '/headers';
  const characters = headers.reduce((sum, { name, size }) => sum + name.length + size, 0);
  return [
    ...(headers.length > MAX_HEADERS ? [TOO_MANY_HEADERS] : []),
    ...(characters > MAX_CHARACTERS
      ? [{ path, code: 'TOO_LARGE', detail: `Names and values can have at most ${MAX_CHARACTERS} characters together` }]
      : []),
  ];
}

function isValue(value: JsonValue): value is string | null {
  return value === null || (typeof value === 'string' && value.length <= MAX_VALUE && VALUE.test(value));
}

/** Encrypts the values of a webhook's headers, which may be tokens. */
export interface HeaderEncryption {
  /** Returns all headers after a change. Null removes a header, and a hidden value keeps the stored value. */
  merge(webhook: HeaderOwner, given: readonly GivenHeader[], origin: string): Promise<readonly WebhookHeader[]>;
  /** Returns the headers for the URL of the webhook. Values that were set for another origin are left out. */
  open(webhook: HeaderOwner & Pick<Webhook, 'url'>): Promise<Readonly<Record<string, string>>>;
}

/** The webhook to which headers belong. Their values are encrypted for this webhook. */
type HeaderOwner = Pick<Webhook, 'id' | 'tenantId' | 'headers'>;

export function createHeaderEncryption(envelope: Pick<Envelope, 'encrypt' | 'decrypt'>): HeaderEncryption {
  async function openOne({ id, tenantId }: HeaderOwner, { name, value }: WebhookHeader): Promise<string> {
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
        const mayBeUnchanged = before?.name === name && (before.origin ?? origin) === origin;
        if (mayBeUnchanged && value === (await openOne(webhook, before))) continue;
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
      // A process of the previous release may have changed the origin, and kept the values for the former origin.
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
