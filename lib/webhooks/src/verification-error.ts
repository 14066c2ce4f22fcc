/** The reason for rejecting a request. */
export type VerificationCode =
  /** A header of the signature is missing. */
  | 'MISSING_HEADER'
  /** `webhook-timestamp` is not a time in seconds. */
  | 'INVALID_TIMESTAMP'
  /** `webhook-timestamp` is too far from the current time: the request may be an old one, sent again. */
  | 'TIMESTAMP_OUT_OF_TOLERANCE'
  /** No signature is right: the request has another sender, another secret, or a changed body. */
  | 'WRONG_SIGNATURE'
  /** The signature is right, but the body is not an event. */
  | 'INVALID_BODY';

/** A request that is not a genuine webhook. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  readonly code: VerificationCode;

  constructor(code: VerificationCode, message: string) {
    super(message);
    this.code = code;
  }
}
