import type { Delivery } from '@survey/client';
import { expect, it } from 'vitest';
import { deliveryStateOf, readDeliverySearch, toDeliveriesQuery } from './delivery.ts';

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
