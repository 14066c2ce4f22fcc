import { algorithms } from './algorithms.ts';

/** Configuration of a token issuer. */
export interface IssuerConfig {
  /** Required value of the claim `iss`; undefined for any. */
  readonly name: string | undefined;
  /** Location of the public keys: a file or a URL. */
  readonly jwksFile: string | undefined;
  readonly jwksUrl: string | undefined;
  /** Required value in the claim `aud`; undefined for any. */
  readonly audience: string | undefined;
  readonly algorithms: readonly string[];
  /** Required value of the header `typ`. If undefined, `typ` may be missing, `JWT` or `at+jwt`. */
  readonly type: string | undefined;
  /** Tenants whose users the issuer may authenticate; undefined for all. */
  readonly tenants: ReadonlySet<string> | undefined;
}

/** An entry of JWT_ISSUERS. Missing members take the values of JWT_ALGORITHMS and JWT_TYPE. */
type Entry = Omit<IssuerConfig, 'algorithms' | 'type'> & Partial<Pick<IssuerConfig, 'algorithms' | 'type'>>;

const MEMBERS = ['issuer', 'jwks_file', 'jwks_url', 'audience', 'algorithms', 'typ', 'tenants'];

/** Parses JWT_ISSUERS. Throws an `Error` that completes the sentence "JWT_ISSUERS …". */
export function parseIssuers(raw: string): readonly Entry[] {
  const entries = toList(raw).map(parseEntry);
  const names = entries.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw new Error(`names ${duplicate} twice`);
  return entries;
}

/** Parses the URL of a JWKS. It must be https or loopback, so that nobody can replace keys in transit. */
export function parseKeySetUrl(raw: string): string {
  const url = URL.canParse(raw) ? new URL(raw) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === undefined || !isSafe || url.username !== '' || url.password !== '')
    throw new Error('needs an https address without a password, or an http one on this machine');
  return url.href;
}

function toList(raw: string): readonly unknown[] {
  const value: unknown = parseOrUndefined(raw);
  if (!Array.isArray(value) || value.length === 0) throw new Error('must be a JSON list with at least one issuer');
  return value;
}

function parseOrUndefined(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    // The caller reports the expected format.
    return undefined;
  }
}

function parseEntry(value: unknown, index: number): Entry {
  try {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('must be an object');
    const unknown = Object.keys(value).find((name) => !MEMBERS.includes(name));
    if (unknown !== undefined) throw new Error(`has an unknown member ${unknown}`);
    // Checked above.
    return toEntry(value as Readonly<Record<string, unknown>>);
  } catch (error) {
    throw new Error(`is invalid: entry ${index} ${error instanceof Error ? error.message : String(error)}`);
  }
}

function toEntry(entry: Readonly<Record<string, unknown>>): Entry {
  const name = textOf(entry, 'issuer');
  if (name === undefined) throw new Error('must name its issuer');
  const [jwksFile, jwksUrl] = [textOf(entry, 'jwks_file'), textOf(entry, 'jwks_url')];
  if ((jwksFile === undefined) === (jwksUrl === undefined)) throw new Error('must have one of jwks_url and jwks_file');
  const [algorithmNames, type, tenants] = [
    textsOf(entry, 'algorithms'),
    textOf(entry, 'typ'),
    textsOf(entry, 'tenants'),
  ];
  if (algorithmNames?.some((algorithm) => !algorithms.includes(algorithm)))
    throw new Error(`has an unknown algorithm: use ${algorithms.join(', ')}`);
  return {
    name,
    jwksFile,
    jwksUrl: jwksUrl === undefined ? undefined : parseKeySetUrl(jwksUrl),
    audience: textOf(entry, 'audience'),
    tenants: tenants === undefined ? undefined : new Set(tenants),
    ...(algorithmNames === undefined ? {} : { algorithms: algorithmNames }),
    ...(type === undefined ? {} : { type }),
  };
}

function textOf(entry: Readonly<Record<string, unknown>>, member: string): string | undefined {
  const value = entry[member];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '') throw new Error(`must have text as ${member}`);
  return value;
}

function textsOf(entry: Readonly<Record<string, unknown>>, member: string): readonly string[] | undefined {
  const value = entry[member];
  if (value === undefined) return undefined;
  const isTexts = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item);
  if (!isTexts) throw new Error(`must have a list of texts as ${member}`);
  return value;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
