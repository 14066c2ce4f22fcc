import { pino } from 'pino';
import { Gauge, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { closeAfterEach } from '../testing/close-after-each.ts';
import { createAdminServer } from './admin-server.ts';
import { createHealth } from './health.ts';

const open = closeAfterEach();

/** The port of an admin server on 127.0.0.1, and its log. */
async function start(registry: Registry) {
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const alive = async () => undefined;
  const health = createHealth({ checks: { database: alive, queue: alive }, needed: ['database'], registry });
  const server = createAdminServer({ health, registry, log });
  const port = await server.listen(0, '127.0.0.1');
  open.push({ close: () => server.close(1_000) });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return { get, logged };
}

describe('the admin port', () => {
  it('sends metrics compressed and as OpenMetrics to clients that accept that', async () => {
    const registry = new Registry();
    new Gauge({ name: 'one', help: 'One.', registers: [registry] }).set(1);
    const { get } = await start(registry);
    const plain = await get('/metrics', { 'accept-encoding': 'gzip;q=0, identity' });
    expect([plain.headers.get('content-encoding'), plain.headers.get('content-type')]).toEqual([
      null,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    const accepted = { 'accept-encoding': 'gzip', accept: 'application/openmetrics-text; version=1.0.0, */*;q=0.1' };
    const compressed = await get('/metrics', accepted);
    expect([compressed.headers.get('content-encoding'), compressed.headers.get('content-type')]).toEqual([
      'gzip',
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    ]);
    // `fetch` decompresses.
    expect(await compressed.text()).toContain('# TYPE one gauge\none 1\n');
    const json = await get('/metrics.json', { 'accept-encoding': 'gzip' });
    expect(json.headers.get('content-encoding')).toBe('gzip');
    expect(await json.json()).toMatchObject(expect.arrayContaining([expect.objectContaining({ name: 'one' })]));
  });

  it('replies 500 and logs the cause if a metric cannot be collected, and keeps serving', async () => {
    const registry = new Registry();
    new Gauge({
      name: 'broken',
      help: 'b',
      registers: [registry],
      collect: () => {
        throw new Error('the shelf fell down');
      },
    });
    const { get, logged } = await start(registry);
    for (const path of ['/metrics', '/metrics.json']) {
      expect((await get(path)).status).toBe(500);
      expect(logged.pop()).toContain('the shelf fell down');
    }
    expect((await get('/livez')).status).toBe(200);
    expect(logged).toEqual([]);
  });
});
