import { VerificationError } from './verification-error.ts';

/** A header of Node's requests. */
export type Header = string | readonly string[] | undefined;

/** Returns a function that reads a header, whatever the case of its name. It throws if the header is missing. */
export function headerReader(headers: Headers | Readonly<Record<string, Header>>): (name: string) => string {
  const find = isHeaders(headers) ? (name: string) => headers.get(name) ?? undefined : finder(headers);
  return (name) => {
    const value = find(name);
    if (!value) throw new VerificationError('MISSING_HEADER', `The header ${name} is missing`);
    return value;
  };
}

function isHeaders(headers: Headers | Readonly<Record<string, Header>>): headers is Headers {
  return typeof headers.get === 'function';
}

function finder(headers: Readonly<Record<string, Header>>): (name: string) => string | undefined {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = byName.get(name.toLowerCase());
    return typeof value === 'string' ? value : value?.join(', ');
  };
}
