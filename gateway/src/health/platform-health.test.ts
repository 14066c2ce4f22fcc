import { afterEach, describe, expect, it } from 'vitest';
import { startServer } from '../testing/test-server.ts';
import { createPlatformHealth } from './platform-health.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function service(status: number, body: unknown): Promise<string> {
  const server = await startServer((_request, response) => {
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  opened.push(server);
  return server.url;
}

const ready = { ready: true, checks: { database: true, queue: true } };
const away = 'http://127.0.0.1:9';

describe('the health of the platform', () => {
  it('is good if every service reports so', async () => {
    const health = createPlatformHealth([await service(200, ready), await service(200, ready)]);
    expect(await health()).toEqual({ status: 'healthy', checks: { database: true, queue: true } });
  });

  it.each<[string, number, unknown, { database: boolean; queue: boolean }]>([
    [
      'lost its database',
      503,
      { ready: false, checks: { database: false, queue: true } },
      { database: false, queue: true },
    ],
    [
      'lost its queue',
      503,
      { ready: false, checks: { database: true, queue: false } },
      { database: true, queue: false },
    ],
    ['replies with something else', 200, 'hello', { database: false, queue: false }],
    ['replies without checks', 500, {}, { database: false, queue: false }],
    ['does not report its queue', 200, { checks: { database: true } }, { database: true, queue: false }],
    ['reports invalid checks', 200, { checks: { database: 'yes', queue: null } }, { database: false, queue: false }],
  ])('is bad if one service %s', async (_case, status, body, checks) => {
    const health = createPlatformHealth([await service(200, ready), await service(status, body)]);
    expect(await health()).toEqual({ status: 'unhealthy', checks });
  });

  it('is bad if one service is down', async () => {
    const health = createPlatformHealth([await service(200, ready), away]);
    expect(await health()).toEqual({ status: 'unhealthy', checks: { database: false, queue: false } });
  });

  it('is bad if one service never replies', async () => {
    const silent = await startServer(() => undefined);
    opened.push(silent);
    const health = createPlatformHealth([await service(200, ready), silent.url]);
    expect(await health()).toMatchObject({ status: 'unhealthy' });
  });

  it('stays good while a service starts or stops and its checks pass', async () => {
    const health = createPlatformHealth([await service(503, { ...ready, ready: false })]);
    expect(await health()).toMatchObject({ status: 'healthy' });
  });

  it('is loaded at most once a second', async () => {
    let asked = 0;
    const server = await startServer((_request, response) => {
      asked += 1;
      response.end(JSON.stringify(ready));
    });
    opened.push(server);
    let time = 0;
    const health = createPlatformHealth([server.url], () => time);
    await Promise.all([health(), health()]);
    time = 1_000;
    await health();
    expect(asked).toBe(1);
    time = 1_001;
    await health();
    expect(asked).toBe(2);
  });
});
