import { randomUUID } from 'node:crypto';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from './testing/receiver.ts';
import { startTestService, surveyCreated, type TestService } from './testing/test-service.ts';

let services: readonly TestService[] = [];
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  services = await Promise.all([startTestService(), startTestService()]);
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  await receiver.close();
});

describe('two webhook services with databases of their own', () => {
  it('each deliver every event of all partitions', async () => {
    const tenantId = randomUUID();
    const body = { url: receiver.url, event_types: ['survey.*'] };
    for (const { call } of services) expect((await call('POST', '/v1/webhooks', { tenantId, body })).status).toBe(201);
    const events = Array.from({ length: 12 }, () => surveyCreated(tenantId));
    await services[0]?.publisher.publish(events);
    const delivered = () =>
      services.map(({ db }) => db.collection('deliveries').countDocuments({ tenant_id: tenantId }));
    await poll(async () => (await Promise.all(delivered())).every((count) => count === events.length));
  });
});
