import { AppError } from '@survey/runtime/errors/app-error';

/** Reasons to reject a token: for the log and a metric label. Callers get one of four texts. */
export const rejectionReasons = [
  'missing',
  'scheme',
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

/**
 * The only texts about failed authentication. A token has expired only if its signature, or the hash of the key, was
 * right, so these texts do not help to guess tokens.
 */
export function toAuthenticationError(rejection: Rejection): AppError {
  switch (rejection) {
    case 'missing':
      return new AppError('INVALID_TOKEN', { detail: 'The header Authorization is missing', hasToken: false });
    case 'scheme':
      return new AppError('INVALID_TOKEN', {
        detail: 'Authorization must be Bearer, a space and the token',
        hasToken: false,
      });
    case 'expired':
      return new AppError('INVALID_TOKEN', { detail: 'The token has expired' });
    default:
      return new AppError('INVALID_TOKEN');
  }
}
