/** Reasons to reject a token: for the log and a metric label, never for the caller. */
export const rejectionReasons = [
  'missing',
  'repeated',
  'too_long',
  'malformed',
  'duplicate_member',
  'header',
  'algorithm',
  'key_id',
  'type',
  'issuer',
  'unknown_key',
  'signature',
  'expired',
  'not_yet_valid',
  'lifetime',
  'audience',
  'tenant',
  'claims',
  'revoked',
  'unknown_subject',
  'unknown_api_key',
] as const;

type Rejection = (typeof rejectionReasons)[number];

export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly rejection: Rejection;

  constructor(rejection: Rejection, options?: ErrorOptions) {
    super(`the token is rejected: ${rejection}`, options);
    this.rejection = rejection;
  }
}
