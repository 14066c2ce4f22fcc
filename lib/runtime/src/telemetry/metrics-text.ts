import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import { createYieldIfDue } from '../flow/yielding.ts';

/** A metric with some of its series. A metric with many series comes in several parts. */
export type MetricPart = Omit<MetricObjectWithValues<MetricValue<string>>, 'values'> & {
  readonly values: readonly Sample[];
};

/** One line of a page of metrics: a series and its value. */
export interface Sample {
  readonly value: number;
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
  /** Name of the line, if it differs from that of the metric. */
  readonly metricName?: string;
  /** An observation of a bucket with its trace. */
  readonly exemplar?: { readonly traceId: string; readonly value: number; readonly timestampSeconds: number };
}

/** A metric that is read in parts, because it has many series. */
export interface ChunkedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'histogram';
  readonly aggregator: 'sum';
  /** Yields the series in parts of about `PART_SIZE`. */
  readParts(): Iterable<readonly Sample[]>;
}

export type MetricsFormat = 'text' | 'openmetrics';

export const contentTypes: Readonly<Record<MetricsFormat, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** Series in one part. Formatting them takes a millisecond. */
export const PART_SIZE = 500;
/** Time after which other work may run while a page is made, in milliseconds. */
export const SLICE_MS = 5;

/** Chooses OpenMetrics, which has exemplars, if the client accepts it. */
export function chooseFormat(accept: string | undefined): MetricsFormat {
  return accept?.includes('application/openmetrics-text') ? 'openmetrics' : 'text';
}

/** Adds a chunked metric to a registry. Readers that do not know chunked metrics get all series at once. */
export function registerChunked(registry: Registry, metric: ChunkedMetric): void {
  const described = { ...metric, get: async () => ({ ...metric, values: [...metric.readParts()].flat() }), reset() {} };
  // prom-client calls only these members.
  registry.registerMetric(described as unknown as Parameters<Registry['registerMetric']>[0]);
}

/** Reads all metrics of a registry in parts. Rejects if a metric cannot be collected. */
export async function* readMetricParts(registry: Registry): AsyncGenerator<MetricPart> {
  const yieldIfDue = createYieldIfDue(SLICE_MS);
  // The type of prom-client is wrong: these are the metrics themselves, not their values.
  const metrics = registry.getMetricsAsArray() as unknown as readonly (Collectable | (Collectable & ChunkedMetric))[];
  // Measurements run concurrently, because some ask a database.
  const measured = new Map(
    await Promise.all(metrics.flatMap((metric) => (metric.collect === undefined ? [] : [readEntry(metric)]))),
  );
  for (const metric of metrics) {
    const isChunked = 'readParts' in metric;
    const { name, help, type, aggregator, values } = isChunked
      ? { ...metric, values: [] }
      : (measured.get(metric) ?? (await metric.get()));
    for (const part of isChunked ? metric.readParts() : splitSeries(values)) {
      yield { name, help, type, aggregator, values: part } as MetricPart;
      await yieldIfDue();
    }
  }
}

interface Collectable {
  readonly collect?: unknown;
  get(): Promise<MetricPart>;
}

async function readEntry(metric: Collectable): Promise<readonly [Collectable, MetricPart]> {
  return [metric, await metric.get()];
}

/** Splits series into parts of `PART_SIZE`, at least one: a metric without series keeps its description. */
export function* splitSeries<Series>(series: readonly Series[]): Iterable<readonly Series[]> {
  for (let index = 0; index === 0 || index < series.length; index += PART_SIZE)
    yield series.slice(index, index + PART_SIZE);
}

/** Formats parts as a page. Parts of a metric must follow each other. */
export async function* formatMetrics(parts: AsyncIterable<MetricPart>, format: MetricsFormat): AsyncGenerator<string> {
  let last = '';
  for await (const { name, help, type, values } of parts) {
    const lines: string[] = [];
    if (name !== last) {
      const family = format === 'openmetrics' && String(type) === 'counter' ? name.replace(/_total$/, '') : name;
      lines.push(`# HELP ${family} ${escapeHelp(help, format)}`, `# TYPE ${family} ${String(type)}`);
    }
    last = name;
    for (const sample of values) lines.push(formatSample(name, sample, format));
    if (lines.length > 0) yield `${lines.join('\n')}\n`;
  }
  if (format === 'openmetrics') yield '# EOF\n';
}

export async function readPage(registry: Registry, format: MetricsFormat): Promise<Buffer> {
  return collect(formatMetrics(readMetricParts(registry), format));
}

/** Reads the metrics as a JSON array with one part of a metric in each line. */
export async function readJson(registry: Registry): Promise<Buffer> {
  async function* lines() {
    let separator = '[\n';
    for await (const part of readMetricParts(registry)) {
      yield separator + JSON.stringify(part);
      separator = ',\n';
    }
    yield separator === ',\n' ? '\n]' : '[]';
  }
  return collect(lines());
}

/** Joins texts. Encodes each one separately, because encoding a whole page would block. */
export async function collect(texts: AsyncIterable<string>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const text of texts) chunks.push(Buffer.from(text));
  return Buffer.concat(chunks);
}

function formatSample(name: string, { metricName, labels, value, exemplar }: Sample, format: MetricsFormat): string {
  let text = '';
  for (const label in labels) text += `${text === '' ? '' : ','}${label}="${escapeLabel(String(labels[label]))}"`;
  const line = `${metricName ?? name}${text === '' ? '' : `{${text}}`} ${formatNumber(value)}`;
  // prom-client sets `exemplar` to null, because its own exemplars are off.
  if (exemplar?.traceId === undefined || format === 'text') return line;
  const { traceId, value: observed, timestampSeconds } = exemplar;
  return `${line} # {trace_id="${traceId}"} ${observed} ${timestampSeconds}`;
}

function formatNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

function escapeLabel(value: string): string {
  return /[\\"\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"') : value;
}

function escapeHelp(help: string, format: MetricsFormat): string {
  const escaped = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return format === 'openmetrics' ? escaped.replaceAll('"', '\\"') : escaped;
}
