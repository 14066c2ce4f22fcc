import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeAfterEach } from '../testing/close-after-each.ts';
import { type Ended, runScript } from '../testing/run-script.ts';
import { startSpanCollector, tracingTo } from '../testing/span-collector.ts';

const preload = join(import.meta.dirname, 'preload.ts');
/** Prints the URL of each module that is loaded after it. */
const recorder = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  registerHooks({ load(url, context, next) { writeSync(2, 'loaded ' + url + '\\n'); return next(url, context); } });
`)}`;

const open = closeAfterEach();

/** Runs the process, and sends SIGTERM when its log contains a message (default: "started"). */
function run(
  env: Record<string, string>,
  { imports = [preload], until = 'started' }: { imports?: readonly string[]; until?: string } = {},
): Promise<Ended> {
  const nodeArgs = imports.flatMap((module) => ['--import', module]);
  const once = `"msg":"${until}"`;
  return runScript('process-under-trace', { env: { DRAIN_MS: '0', ...env }, nodeArgs, signal: 'SIGTERM', once });
}

const linesOf = ({ out }: Ended) => out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
const messagesOf = (ended: Ended) => linesOf(ended).map(({ msg }) => msg);
const tracingModules = ({ err }: Ended) =>
  err
    .split('\n')
    .filter((line) => /node_modules\/(@opentelemetry|import-in-the-middle|require-in-the-middle)\//.test(line))
    .filter((line) => !line.includes('@opentelemetry/api/'));

describe('a process with the preload', () => {
  it('exports all spans, including the last ones, to the configured collector', async () => {
    const collector = await startSpanCollector();
    open.push(collector);
    const ended = await run({
      ...tracingTo(collector.url),
      OTEL_SERVICE_NAME: 'tested',
      OTEL_BSP_SCHEDULE_DELAY: '60000',
    });
    expect([ended.code, messagesOf(ended).at(-1)]).toEqual([0, 'stopped']);
    const [begin] = collector.spans.filter(({ name }) => name === 'begin');
    expect(begin).toMatchObject({ service: 'tested', kind: 'server', failed: false });
    const calls = collector.spans.filter(({ name }) => name === 'GET');
    expect(calls).toHaveLength(2);
    for (const call of calls) {
      expect(call).toMatchObject({
        kind: 'client',
        traceId: begin?.traceId,
        parentSpanId: begin?.spanId,
        attributes: { 'http.request.method': 'GET', 'http.response.status_code': 200 },
      });
    }
    expect(collector.spans.map(({ raw }) => raw).join()).not.toContain('secret');
  });

  it('instruments named and namespace imports, and propagates the context', async () => {
    const collector = await startSpanCollector();
    open.push(collector);
    const ended = await run(tracingTo(collector.url));
    const carried = linesOf(ended).flatMap(({ msg, traceparent }) => (msg === 'called' ? [traceparent] : []));
    const sent = collector.spans.flatMap(({ name, traceId, spanId }) =>
      name === 'GET' ? [`00-${traceId}-${spanId}-01`] : [],
    );
    expect(sent).toHaveLength(2);
    expect(carried).toEqual(sent);
  });

  it('adds the trace id to log lines of the trace', async () => {
    const collector = await startSpanCollector();
    open.push(collector);
    const lines = linesOf(await run(tracingTo(collector.url)));
    expect(lines.find(({ msg }) => msg === 'inside')).toMatchObject({ trace_id: collector.spans[0]?.traceId });
    expect(lines.find(({ msg }) => msg === 'started')).not.toHaveProperty('trace_id');
  });

  it.each([
    ['no variable is set', {}],
    ['no endpoint is named', { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_SERVICE_NAME: 'tested' }],
    ['the SDK is switched off', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' }],
    ['no traces are wanted', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_EXPORTER: 'none' }],
  ])('loads nothing of the SDK and its instrumentations when %s', async (_case, env) => {
    const ended = await run(env, { imports: [recorder, preload] });
    expect(ended.code).toBe(0);
    expect(ended.err).toContain('telemetry/preload.ts');
    expect(tracingModules(ended)).toEqual([]);
    expect(linesOf(ended).find(({ msg }) => msg === 'inside')).not.toHaveProperty('trace_id');
  });

  it('loads them if tracing is enabled', async () => {
    const collector = await startSpanCollector();
    open.push(collector);
    expect(tracingModules(await run(tracingTo(collector.url), { imports: [recorder, preload] })).join()).toMatch(
      /sdk-node/,
    );
  });

  it('serves, stops cleanly and logs the problem without a collector', async () => {
    const env = { ...tracingTo('http://127.0.0.1:1'), OTEL_EXPORTER_OTLP_TIMEOUT: '300' };
    const ended = await run(env, { until: 'tracing has a problem' });
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(messagesOf(ended)).toEqual(
      expect.arrayContaining(['inside', 'started', 'stopped', 'tracing has a problem']),
    );
  });

  it('serves and stops cleanly if the collector accepts connections but never replies', async () => {
    const { url } = await startMuteServer();
    const ended = await run(tracingTo(url));
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(messagesOf(ended)).toEqual(
      expect.arrayContaining(['inside', 'started', 'stopped', 'cannot export the last spans']),
    );
  });

  it('does not start with an unknown protocol, and reports it', async () => {
    const ended = await run({ ...tracingTo('http://127.0.0.1:1'), OTEL_EXPORTER_OTLP_PROTOCOL: 'smoke' });
    expect([ended.code, ended.out]).toEqual([1, '']);
    expect(ended.err).toContain('OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/protobuf, http/json, grpc: smoke');
  });
});

async function startMuteServer(): Promise<{ readonly url: string }> {
  const server: Server = createServer((socket) => void socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => new Promise<void>((resolve) => void server.close(() => resolve())) });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
}
