import type { WebhookEvent } from './generated/events.ts';
import { VerificationError } from './verification-error.ts';
import type { Delivery, Verifier, VerifierOptions } from './verifier.ts';

/**
 * Handles an event. The reply is sent when the handler has ended; the platform waits up to 30 seconds for it. If the
 * handler throws, the platform retries.
 */
export type EventHandler = (event: WebhookEvent) => void | Promise<void>;

/** Options of an adapter. */
export interface HandlerOptions extends VerifierOptions {
  /** Larger bodies get 413. Default: 8 MiB. */
  readonly maxBytes?: number;
}

export const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;

/** Verifies and handles a delivery. Returns the status of the reply: 204, or 401 for a request that is not genuine. */
export async function receive(verify: Verifier, delivery: Delivery, onEvent: EventHandler): Promise<204 | 401> {
  let event: WebhookEvent;
  try {
    event = await verify(delivery);
  } catch (error) {
    if (error instanceof VerificationError) return 401;
    throw error;
  }
  await onEvent(event);
  return 204;
}
