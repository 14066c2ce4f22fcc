import type { Delivery, ListDeliveriesQuery } from '@survey/client';
import { readChoice, readText, readTime, removeUndefined } from '../ui/search-values.ts';
import type { Tone } from '../ui/states.tsx';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'retrying', 'failed_for_good'] as const;

/** Labels of the filter, in the words of `deliveryStateOf`. */
export const DELIVERY_STATUS_LABELS: Readonly<Record<(typeof DELIVERY_STATUSES)[number], string>> = {
  pending: 'pending',
  delivered: 'delivered',
  retrying: 'retrying',
  failed_for_good: 'failed for good',
};

/** Filters of the deliveries, as in the address of the page. */
export interface DeliverySearch {
  readonly status?: (typeof DELIVERY_STATUSES)[number];
  readonly event_type?: string;
  readonly since?: string;
  readonly until?: string;
}

export function readDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  return removeUndefined({
    status: readChoice(search['status'], DELIVERY_STATUSES),
    event_type: readText(search['event_type']),
    since: readTime(search['since']),
    until: readTime(search['until']),
  });
}

export function toDeliveriesQuery({ status, ...rest }: DeliverySearch): ListDeliveriesQuery {
  if (status === undefined) return rest;
  if (status === 'retrying' || status === 'failed_for_good') return { ...rest, [status]: true };
  return { ...rest, status };
}

interface DeliveryState {
  readonly label: string;
  readonly tone: Tone;
  /** Whether the state changes by itself. */
  readonly isChanging: boolean;
}

/** Returns the state to show. A failed delivery is retrying if it has a next attempt, otherwise it failed for good. */
export function deliveryStateOf({
  status,
  next_attempt_at,
}: Pick<Delivery, 'status' | 'next_attempt_at'>): DeliveryState {
  if (status === 'delivered') return { label: 'delivered', tone: 'good', isChanging: false };
  if (status === 'pending') return { label: 'pending', tone: 'warn', isChanging: true };
  if (next_attempt_at !== undefined) return { label: 'retrying', tone: 'warn', isChanging: true };
  return { label: 'failed for good', tone: 'bad', isChanging: false };
}

export const FAILURE_REASONS: Readonly<Record<NonNullable<Delivery['failure_reason']>, string>> = {
  retries_exhausted: 'No attempt succeeded.',
  webhook_disabled: 'The webhook was disabled.',
  webhook_deleted: 'The webhook was deleted.',
  answers_unreadable: 'The answers could not be read for a day.',
};
