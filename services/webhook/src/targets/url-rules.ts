/** Ports beside 80 and 443 that may be called. */
export type AllowedPorts = ReadonlySet<number> | 'any';

/** What is wrong with an address. */
export interface UrlProblem {
  readonly code: string;
  readonly detail: string;
}

export interface UrlRules {
  readonly allowHttp: boolean;
  readonly allowedPorts: AllowedPorts;
}

const USUAL_PORTS = new Set([80, 443]);

/** Everything that is wrong with a URL by itself, before any look-up. */
export function checkUrl(text: string, rules: UrlRules): readonly UrlProblem[] {
  // The parser would quietly drop white space; what is stored should be what is called.
  if (!URL.canParse(text) || /\s/.test(text)) {
    return [{ code: 'INVALID_URL', detail: 'This is not an absolute URL' }];
  }
  const url = new URL(text);
  const problems: UrlProblem[] = [];
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.allowHttp)) {
    problems.push({ code: 'SCHEME_REFUSED', detail: `The URL has to begin with ${schemes(rules)}` });
  } else if (!isAllowedPort(portOf(url), rules.allowedPorts)) {
    problems.push({ code: 'PORT_REFUSED', detail: 'Webhooks cannot be sent to this port' });
  }
  if (url.username !== '' || url.password !== '') {
    problems.push({ code: 'USER_INFO_REFUSED', detail: 'A user name or password cannot be part of the URL' });
  }
  if (text.includes('#')) problems.push({ code: 'FRAGMENT_REFUSED', detail: 'A fragment is never sent: leave it out' });
  return problems;
}

/** The port of an http or https URL, also when it is the usual one, which URLs leave out. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function isAllowedPort(port: number, allowed: AllowedPorts): boolean {
  return allowed === 'any' || USUAL_PORTS.has(port) || allowed.has(port);
}

function schemes({ allowHttp }: UrlRules): string {
  return allowHttp ? 'https:// or http://' : 'https://';
}
