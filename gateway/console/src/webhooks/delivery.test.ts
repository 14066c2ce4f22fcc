import type { Delivery } from '@survey/client';
import { expect, it } from 'vitest';
import { DELIVERY_STATUS_LABELS, deliveryStateOf, readDeliverySearch, toDeliveriesQuery } from './delivery.ts';

it('reads filters from an address, without invalid ones', () => {
  expect(readDeliverySearch({ status: 'failed', event_type: 'survey.created', since: '2026-01-01T00:00:00Z' })).toEqual(
    {
      status: 'failed',
      event_type: 'survey.created',
      since: '2026-01-01T00:00:00.000Z',
    },
  );
  expect(readDeliverySearch({ status: '<b>', event_type: 7, since: 'soon', until: {}, other: 1 })).toEqual({});
});

it('asks for deliveries that failed for good', () => {
  expect(toDeliveriesQuery({ status: 'failed_for_good', event_type: 'x' })).toEqual({
    event_type: 'x',
    failed_for_good: true,
  });
  expect(toDeliveriesQuery({ status: 'failed' })).toEqual({ status: 'failed' });
  expect(toDeliveriesQuery({})).toEqual({});
});

it.each([
  [{ status: 'pending' }, 'pending', true],
  [{ status: 'delivered' }, 'delivered', false],
  [{ status: 'failed', next_attempt_at: '2026-01-01T00:00:00Z' }, 'retrying', true],
  [{ status: 'failed' }, 'failed for good', false],
] as const)('shows %j as %s', (delivery, label, isChanging) => {
  expect(deliveryStateOf(delivery as Delivery)).toMatchObject({ label, isChanging });
});

it('labels each filter with the labels of the deliveries that it lists', () => {
  const listed = {
    pending: [{ status: 'pending' }],
    delivered: [{ status: 'delivered' }],
    failed: [{ status: 'failed', next_attempt_at: '2026-01-01T00:00:00Z' }, { status: 'failed' }],
    failed_for_good: [{ status: 'failed' }],
  } as const;
  for (const [filter, deliveries] of Object.entries(listed)) {
    const labels = deliveries.map((delivery) => deliveryStateOf(delivery as Delivery).label);
    expect(DELIVERY_STATUS_LABELS[filter as keyof typeof listed]).toBe(labels.join(' or '));
  }
});
