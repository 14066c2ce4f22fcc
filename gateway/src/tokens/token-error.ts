/** Why a token was refused: for the log and a metric label, never for the caller. */
export type Rejection =
  | 'missing'
  | 'repeated'
  | 'too_long'
  | 'malformed'
  | 'duplicate_member'
  | 'header'
  | 'algorithm'
  | 'key_id'
  | 'type'
  | 'unknown_key'
  | 'signature'
  | 'expired'
  | 'not_yet_valid'
  | 'lifetime'
  | 'issuer'
  | 'audience'
  | 'claims'
  | 'unknown_subject'
  | 'unknown_api_key';

export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly rejection: Rejection;

  constructor(rejection: Rejection, options?: ErrorOptions) {
    super(`the token is refused: ${rejection}`, options);
    this.rejection = rejection;
  }
}
