import { ApiError, type Client } from '@survey/client';
import { expect, it } from 'vitest';
import { deleteAbandonedWebhooks, describeListener, readListener } from './temporary-webhook.ts';

const self = { host: 'laptop', pid: 7 };

it.each([
  'Temporary webhook of "survey webhooks listen"',
  'Temporary webhook of "survey webhooks listen" on laptop',
  'Temporary webhook of "survey webhooks listen" on laptop, process x',
  'on laptop, process 7',
  '',
])('does not take %j for a temporary webhook', (description) => {
  expect(readListener(description)).toBeUndefined();
});

it('reads the process that it describes', () => {
  expect(readListener(describeListener(self))).toEqual(self);
});

it('deletes webhooks of dead processes of this machine only', async () => {
  const descriptions: Readonly<Record<string, string>> = {
    dead: describeListener({ host: 'laptop', pid: 1 }),
    alive: describeListener({ host: 'laptop', pid: 2 }),
    elsewhere: describeListener({ host: 'server', pid: 1 }),
    reused: describeListener(self),
    other: 'Orders',
  };
  const deleted: string[] = [];
  const webhooks = {
    async *list() {
      for (const [id, description] of Object.entries(descriptions)) yield { id, description };
    },
    delete: async (id: string) => void deleted.push(id),
  } as unknown as Client['webhooks'];
  const isAlive = (pid: number) => pid !== 1;
  expect(await deleteAbandonedWebhooks({ webhooks }, self, isAlive)).toEqual(['dead', 'reused']);
  expect(deleted).toEqual(['dead', 'reused']);
});

it.each([
  [404, 'WEBHOOK_NOT_FOUND', ['gone']],
  [403, 'PERMISSION_DENIED', 'forbidden'],
] as const)('handles %i when it deletes a webhook', async (status, code, outcome) => {
  const webhooks = {
    async *list() {
      yield { id: 'gone', description: describeListener(self) };
    },
    delete: () => Promise.reject(new ApiError('forbidden', { status, code })),
  } as unknown as Client['webhooks'];
  const result = await deleteAbandonedWebhooks({ webhooks }, self).catch((error: Error) => error.message);
  expect(result).toEqual(outcome);
});

it('knows whether a process runs', async () => {
  const description = describeListener({ host: 'laptop', pid: process.pid });
  const webhooks = {
    async *list() {
      yield { id: 'own', description };
    },
    delete: async () => undefined,
  } as unknown as Client['webhooks'];
  expect(await deleteAbandonedWebhooks({ webhooks }, { host: 'laptop', pid: -1 })).toEqual([]);
});
