import { algorithms } from './algorithms.ts';

/** One who issues tokens, as configured. */
export interface IssuerConfig {
  /** What the claim `iss` has to be; undefined for anything. */
  readonly name: string | undefined;
  /** Where the public keys are: one of the two. */
  readonly jwksFile: string | undefined;
  readonly jwksUrl: string | undefined;
  /** What the claim `aud` has to name; undefined for anything. */
  readonly audience: string | undefined;
  readonly algorithms: readonly string[];
  /** What the header `typ` has to be; undefined for any that is a token of access. */
  readonly type: string | undefined;
  /** The tenants that it speaks for; undefined for all. */
  readonly tenants: ReadonlySet<string> | undefined;
}

/** What an entry of the list says. The rest is as it is for all. */
type Entry = Omit<IssuerConfig, 'algorithms' | 'type'> & Partial<Pick<IssuerConfig, 'algorithms' | 'type'>>;

const MEMBERS = ['issuer', 'jwks_file', 'jwks_url', 'audience', 'algorithms', 'typ', 'tenants'];

/** Reads the list of JWT_ISSUERS. Throws an `Error` that says what is wrong. */
export function parseIssuers(raw: string): readonly Entry[] {
  const entries = toList(raw).map(parseEntry);
  const names = entries.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`names ${twice} twice`);
  return entries;
}

/** An address that keys may come from: nobody on the way can exchange them. */
export function parseKeySetUrl(raw: string): string {
  const url = URL.canParse(raw) ? new URL(raw) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === undefined || !isSafe || url.username !== '' || url.password !== '')
    throw new Error('needs an https address without a password, or an http one on this machine');
  return url.href;
}

function toList(raw: string): readonly unknown[] {
  const value: unknown = parseOrUndefined(raw);
  if (!Array.isArray(value) || value.length === 0)
    throw new Error('has to be a JSON list of issuers, not an empty one');
  return value;
}

function parseOrUndefined(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    // The caller says what is expected.
    return undefined;
  }
}

function parseEntry(value: unknown, index: number): Entry {
  try {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('has to be an object');
    const unknown = Object.keys(value).find((name) => !MEMBERS.includes(name));
    if (unknown !== undefined) throw new Error(`has an unknown member ${unknown}`);
    // An object, as checked.
    return toEntry(value as Readonly<Record<string, unknown>>);
  } catch (error) {
    throw new Error(`has an entry ${index} that ${error instanceof Error ? error.message : String(error)}`);
  }
}

function toEntry(entry: Readonly<Record<string, unknown>>): Entry {
  const name = textOf(entry, 'issuer');
  if (name === undefined) throw new Error('has to name its issuer');
  const [jwksFile, jwksUrl] = [textOf(entry, 'jwks_file'), textOf(entry, 'jwks_url')];
  if ((jwksFile === undefined) === (jwksUrl === undefined))
    throw new Error('has to have one of jwks_url and jwks_file');
  const [names, type, tenants] = [textsOf(entry, 'algorithms'), textOf(entry, 'typ'), textsOf(entry, 'tenants')];
  if (names?.some((algorithm) => !algorithms.includes(algorithm)))
    throw new Error(`has to have algorithms of ${algorithms.join(', ')}`);
  return {
    name,
    jwksFile,
    jwksUrl: jwksUrl === undefined ? undefined : parseKeySetUrl(jwksUrl),
    audience: textOf(entry, 'audience'),
    tenants: tenants === undefined ? undefined : new Set(tenants),
    ...(names === undefined ? {} : { algorithms: names }),
    ...(type === undefined ? {} : { type }),
  };
}

function textOf(entry: Readonly<Record<string, unknown>>, member: string): string | undefined {
  const value = entry[member];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '') throw new Error(`has to have text as ${member}`);
  return value;
}

function textsOf(entry: Readonly<Record<string, unknown>>, member: string): readonly string[] | undefined {
  const value = entry[member];
  if (value === undefined) return undefined;
  const isTexts = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item);
  if (!isTexts) throw new Error(`has to have a list of texts as ${member}`);
  return value;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
