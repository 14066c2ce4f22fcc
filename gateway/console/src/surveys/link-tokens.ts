import { linkAddress } from './respondent-address.ts';

/** Makes a CSV file of tokens: one row for each, with the address that a respondent opens. */
export function toTokenFile(slug: string, tokens: readonly string[]): string {
  // Tokens and slugs have no characters that CSV quotes.
  return ['token,address', ...tokens.map((token) => `${token},${linkAddress(slug, token)}`), ''].join('\r\n');
}
