import { setImmediate as nextImmediate } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chooseFormat, readJson, readPage, registerChunked, SLICE_MS } from './metrics-text.ts';

function createMetrics(): Registry {
  const registry = new Registry();
  const registers = [registry];
  const counter = new Counter({
    name: 'answers_total',
    help: 'A "counter".\nOf two lines.',
    labelNames: ['of'],
    registers,
  });
  counter.inc({ of: 'a "quoted" \\ text\nof two lines' }, 2);
  new Gauge({ name: 'empty', help: 'No series.', labelNames: ['of'], registers });
  const gauge = new Gauge({ name: 'numbers', help: 'Numbers.', labelNames: ['of'], registers });
  for (const [of, value] of Object.entries({ most: Infinity, least: -Infinity, some: 0.5 })) gauge.set({ of }, value);
  new Gauge({
    name: 'measured',
    help: 'Measured.',
    registers,
    collect: async function collect() {
      this.set(await nextImmediate(7));
    },
  });
  new Histogram({ name: 'seconds', help: 'Seconds.', buckets: [1, 2], registers }).observe(1.5);
  return registry;
}

afterEach(() => vi.restoreAllMocks());

describe('the text of metrics', () => {
  it('is that of prom-client', async () => {
    const registry = createMetrics();
    const expected = (await registry.metrics()).split('\n').filter((line) => line !== '');
    expect((await readPage(registry, 'text')).toString().trimEnd().split('\n')).toEqual(expected);
  });

  it('is OpenMetrics for clients that accept it', async () => {
    expect(chooseFormat('application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.2')).toBe('openmetrics');
    expect([chooseFormat('text/plain'), chooseFormat(undefined)]).toEqual(['text', 'text']);
    const page = (await readPage(createMetrics(), 'openmetrics')).toString();
    expect(page).toContain('# TYPE answers counter\nanswers_total{of="');
    expect(page).toContain('# HELP answers A \\"counter\\".\\nOf two lines.\n');
    expect(page.endsWith('\n# EOF\n')).toBe(true);
  });

  it('has all series of a metric that is read in parts, with one heading', async () => {
    const registry = new Registry();
    registerChunked(registry, {
      name: 'parts_total',
      help: 'Parts.',
      type: 'counter',
      aggregator: 'sum',
      *readParts() {
        for (const part of ['a', 'b']) yield [{ labels: { part }, value: 1 }];
      },
    });
    const lines = [
      '# HELP parts_total Parts.',
      '# TYPE parts_total counter',
      'parts_total{part="a"} 1',
      'parts_total{part="b"} 1',
    ];
    expect((await readPage(registry, 'text')).toString()).toBe(`${lines.join('\n')}\n`);
    expect((await registry.metrics()).trimEnd().split('\n')).toEqual(lines);
    const json = (await readJson(registry)).toString();
    expect(JSON.parse(json)).toHaveLength(2);
    for (const line of json.split('\n').slice(1, -1))
      expect(JSON.parse(line.replace(/,$/, ''))).toMatchObject({ name: 'parts_total' });
  });

  it('lets other work run between parts of a long page', async () => {
    const registry = new Registry();
    const parts = 20;
    registerChunked(registry, {
      name: 'parts_total',
      help: 'Parts.',
      type: 'counter',
      aggregator: 'sum',
      *readParts() {
        for (let part = 0; part < parts; part += 1) yield [{ labels: { part }, value: 1 }];
      },
    });
    // Each part takes as long as a slice.
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += SLICE_MS;
      return now;
    });
    let [iterations, isDone] = [0, false];
    const others = (async () => {
      for (; !isDone; iterations += 1) await nextImmediate();
    })();
    await readPage(registry, 'text').finally(() => {
      isDone = true;
    });
    await others;
    expect(iterations).toBeGreaterThanOrEqual(parts - 1);
  });

  it('is an empty list without metrics', async () => {
    expect((await readJson(new Registry())).toString()).toBe('[]');
  });
});
