/** One line of a page: a value with its labels. */
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric on a Prometheus page. Histograms have series of several names. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly series: readonly Series[];
}

/** Parses a page: https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export function parseExposition(page: string): readonly Metric[] {
  const metrics: (Metric & { type: string; series: Series[] })[] = [];
  for (const line of page.split('\n')) {
    const [, name = '', help = ''] = /^# HELP (\S+) (.*)$/.exec(line) ?? [];
    if (name !== '') metrics.push({ name, help, type: '', series: [] });
    const current = metrics.at(-1);
    if (current === undefined) continue;
    current.type = /^# TYPE \S+ (\S+)$/.exec(line)?.[1] ?? current.type;
    const [, series, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (series !== undefined) current.series.push({ name: series, labels: readLabels(labels), value: Number(value) });
  }
  return metrics;
}

function readLabels(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]));
}
