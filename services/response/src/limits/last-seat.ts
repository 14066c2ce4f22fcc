import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { ResponseFields } from '../responses/response.ts';
import { limitReachedEvent } from '../responses/response-events.ts';

/** The response that takes the last seat of its survey. */
export interface LastSeat {
  readonly responseId: string;
  /** Limit of the survey. */
  readonly responseLimit: number;
}

export function toLastSeat(responseId: string | undefined, responseLimit: number): LastSeat | undefined {
  return responseId === undefined ? undefined : { responseId, responseLimit };
}

/** The event of a response, if it takes the last seat of its survey. */
export function lastSeatEvents(response: ResponseFields, lastSeat: LastSeat | undefined): readonly OutboxEvent[] {
  return lastSeat?.responseId === response.id ? [limitReachedEvent(response, lastSeat.responseLimit)] : [];
}
