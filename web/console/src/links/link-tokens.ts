import { toCsvLine } from '@survey/questionnaire/columns/csv';
import type { NewTokens } from './link-tokens-dialog.tsx';
import { linkAddress } from './respondent-address.ts';

/**
 * Makes a CSV file of tokens: one row for each, with the address that a respondent opens. Tokens are random and can
 * begin with `-`. They are not masked: an apostrophe would make another token.
 */
export function toTokenFile({ slug, tokens, invitationIds }: NewTokens): string {
  const rows = [
    ['invitation_id', 'token', 'address'],
    ...tokens.map((token, index) => [invitationIds[index] ?? '', token, linkAddress(slug, token)]),
  ];
  return rows.map((cells) => toCsvLine(cells, { maskFormulas: false })).join('');
}
