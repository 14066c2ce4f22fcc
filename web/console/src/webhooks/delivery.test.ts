import { expect, it } from 'vitest';
import {
  DELIVERY_STATUS_LABELS,
  DELIVERY_STATUSES,
  deliveryStateOf,
  readDeliverySearch,
  toDeliveriesQuery,
} from './delivery.ts';

it('reads filters from an address, without invalid ones', () => {
  expect(
    readDeliverySearch({ status: 'retrying', event_type: 'survey.created', since: '2026-01-01T00:00:00Z' }),
  ).toEqual({
    status: 'retrying',
    event_type: 'survey.created',
    since: '2026-01-01T00:00:00.000Z',
  });
  expect(readDeliverySearch({ status: '<b>', event_type: 7, since: 'soon', until: {}, other: 1 })).toEqual({});
});

it('asks for deliveries that are retried or failed for good', () => {
  expect(toDeliveriesQuery({ status: 'failed_for_good', event_type: 'x' })).toEqual({
    event_type: 'x',
    failed_for_good: true,
  });
  expect(toDeliveriesQuery({ status: 'retrying' })).toEqual({ retrying: true });
  expect(toDeliveriesQuery({ status: 'pending' })).toEqual({ status: 'pending' });
  expect(toDeliveriesQuery({})).toEqual({});
});

it.each([
  [{ status: 'pending' }, 'pending', true],
  [{ status: 'delivered' }, 'delivered', false],
  [{ status: 'failed', next_attempt_at: '2026-01-01T00:00:00Z' }, 'retrying', true],
  [{ status: 'failed' }, 'failed for good', false],
] as const)('shows %j as %s', (delivery, label, isChanging) => {
  expect(deliveryStateOf(delivery)).toMatchObject({ label, isChanging });
});

it('labels each filter with the labels of the deliveries that it lists', () => {
  const listed = {
    pending: { status: 'pending' },
    delivered: { status: 'delivered' },
    retrying: { status: 'failed', next_attempt_at: '2026-01-01T00:00:00Z' },
    failed_for_good: { status: 'failed' },
  } as const;
  for (const filter of DELIVERY_STATUSES)
    expect(DELIVERY_STATUS_LABELS[filter]).toBe(deliveryStateOf(listed[filter]).label);
});
