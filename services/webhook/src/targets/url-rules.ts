/** Allowed ports besides 80 and 443. */
export type AllowedPorts = ReadonlySet<number> | 'any';

export interface UrlProblem {
  readonly code: string;
  readonly detail: string;
}

export interface UrlRules {
  readonly allowHttp: boolean;
  readonly allowedPorts: AllowedPorts;
}

const DEFAULT_PORTS = new Set([80, 443]);

/** Returns all problems of a URL that need no DNS lookup. */
export function checkUrl(text: string, rules: UrlRules): readonly UrlProblem[] {
  // Reject white space: the parser drops it, so the called URL would differ from the stored one.
  if (!URL.canParse(text) || /\s/.test(text)) {
    return [{ code: 'INVALID_URL', detail: 'The value is not an absolute URL; use one like https://example.com/hook' }];
  }
  const url = new URL(text);
  const problems: UrlProblem[] = [];
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.allowHttp)) {
    problems.push({ code: 'SCHEME_REFUSED', detail: `The URL must begin with ${schemes(rules)}` });
  } else if (!isAllowedPort(portOf(url), rules.allowedPorts)) {
    problems.push({ code: 'PORT_REFUSED', detail: 'The port is not allowed; use 443' });
  }
  if (url.username !== '' || url.password !== '') {
    problems.push({
      code: 'USER_INFO_REFUSED',
      detail: 'The URL must not contain a user name or password; send them in headers',
    });
  }
  if (text.includes('#'))
    problems.push({
      code: 'FRAGMENT_REFUSED',
      detail: 'The URL must not contain a fragment; remove the part from # on',
    });
  return problems;
}

/** The port of an http or https URL, or the default one. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function isAllowedPort(port: number, allowed: AllowedPorts): boolean {
  return allowed === 'any' || DEFAULT_PORTS.has(port) || allowed.has(port);
}

function schemes({ allowHttp }: UrlRules): string {
  return allowHttp ? 'https:// or http://' : 'https://';
}
