import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import { testWebhook } from '../testing/test-webhook.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { createWebhookReader, type WebhookState } from './webhook-state-store.ts';

const tenantId = toTenantId('tenant-1');

const webhook = (id: string, revision: number, of = tenantId) => testWebhook({ id, revision, tenantId: of });

function reading(...webhooks: readonly Webhook[]) {
  const stored = new Map(webhooks.map((one) => [one.id, one]));
  const reads: { states: number; all: string[][] } = { states: 0, all: [] };
  const seen: WebhookState[] = [];
  const among = (ids: readonly string[]) => ids.flatMap((id) => stored.get(id) ?? []);
  const { find } = createWebhookReader({
    batches: {
      async findStates(ids) {
        reads.states += 1;
        return among(ids).map(({ id, revision }) => ({ id, revision, breaker: undefined, failingSince: undefined }));
      },
      async findAll(ids) {
        reads.all.push([...ids]);
        return among(ids);
      },
    },
    onState: (state) => void seen.push(state),
  });
  return { find, stored, reads, seen };
}

describe('webhooks of many deliveries', () => {
  it('are read in one batch, each once', async () => {
    const { find, reads } = reading(webhook('a', 1), webhook('b', 1));
    const found = await Promise.all(['a', 'b', 'a', 'c'].map((id) => find(tenantId, id)));
    expect(found.map((one) => one?.id)).toEqual(['a', 'b', 'a', undefined]);
    expect(reads).toEqual({ states: 1, all: [['a', 'b']] });
  });

  it('are not read again while their revision is the same', async () => {
    const { find, reads, seen } = reading(webhook('a', 1));
    const first = await find(tenantId, 'a');
    expect(await find(tenantId, 'a')).toBe(first);
    expect(reads).toEqual({ states: 2, all: [['a']] });
    expect(seen).toHaveLength(2);
  });

  it('are read again as soon as they have changed', async () => {
    const { find, stored } = reading(webhook('a', 1));
    await find(tenantId, 'a');
    stored.set('a', webhook('a', 2));
    expect((await find(tenantId, 'a'))?.revision).toBe(2);
  });

  it('are not found once they are deleted', async () => {
    const { find, stored } = reading(webhook('a', 1));
    await find(tenantId, 'a');
    stored.delete('a');
    expect(await find(tenantId, 'a')).toBeUndefined();
  });

  it('are not found by another tenant', async () => {
    const { find } = reading(webhook('a', 1));
    expect(await find(toTenantId('tenant-2'), 'a')).toBeUndefined();
  });
});
