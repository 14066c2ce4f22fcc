export type * from './generated/events.ts';
export type { EventHandler, HandlerOptions } from './receive.ts';
export { type VerificationCode, VerificationError } from './verification-error.ts';
export { createVerifier, type Delivery, type Verifier, type VerifierOptions } from './verifier.ts';
