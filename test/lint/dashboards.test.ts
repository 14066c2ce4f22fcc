import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { delivery } from '../../deploy/grafana/delivery.ts';
import { ingest } from '../../deploy/grafana/ingest.ts';
import { type Dashboard, toGrafana } from '../../deploy/grafana/panels.ts';
import { platform } from '../../deploy/grafana/platform.ts';
import { parseQuery } from '../support/metrics/promql.ts';
import { root } from '../support/run-step.ts';

describe.each<Dashboard>([platform, ingest, delivery])('the dashboard $title', (dashboard) => {
  const { panels, uid } = toGrafana(dashboard);

  it('is up to date: node deploy/grafana/generate.ts', async () => {
    const stored = await readFile(join(root, 'helm/files/dashboards', `${dashboard.name}.json`), 'utf8');
    expect(stored).toBe(`${JSON.stringify(toGrafana(dashboard), undefined, 2)}\n`);
    expect(uid.length).toBeLessThanOrEqual(40);
  });

  it('selects the metrics of one installation in every panel', () => {
    const lines = dashboard.rows.flatMap((row) => row.panels.flatMap((panel) => panel.lines));
    for (const { expr } of lines) {
      for (const { name, matchers } of parseQuery(expr).selectors) {
        const values = Object.fromEntries(matchers.map(({ label, value }) => [label, value]));
        expect([name, values]).toEqual([
          name,
          expect.objectContaining({ namespace: '$namespace', release: '$release' }),
        ]);
      }
    }
  });

  it('has panels that do not overlap, each with a title and a description', () => {
    const positions = panels.map(({ gridPos: { x, y } }) => `${x},${y}`);
    expect(new Set(positions).size).toBe(positions.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    const shown = dashboard.rows.flatMap((row) => row.panels);
    expect(new Set(shown.map(({ title }) => title)).size).toBe(shown.length);
    for (const { description } of shown) expect(description).toMatch(/^[A-Z/].*\.$/);
  });
});
