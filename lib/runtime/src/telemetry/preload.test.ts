import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { closeAfterEach } from '../testing/close-after-each.ts';
import { exportingTo, startOtlpCollector, tracingTo } from '../testing/otlp-collector.ts';
import { type Ended, runScript } from '../testing/processes/run-script.ts';

const preload = join(import.meta.dirname, 'preload.ts');
/** A module that appends the URL of each module that is loaded after it to a file. */
const recorderTo = (file: string) =>
  `data:text/javascript,${encodeURIComponent(`
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const file = ${JSON.stringify(file)};
  registerHooks({ load(url, context, next) { appendFileSync(file, url + '\\n'); return next(url, context); } });
`)}`;

const open = closeAfterEach();

/** Runs the process, and sends SIGTERM when its log contains a message (default: "started"). */
function run(
  env: Record<string, string>,
  { imports = [preload], until = 'started' }: { imports?: readonly string[]; until?: string } = {},
): Promise<Ended> {
  const nodeArgs = imports.flatMap((module) => ['--import', module]);
  const signalAfter = `"msg":"${until}"`;
  return runScript('process-under-trace', { env: { DRAIN_MS: '0', ...env }, nodeArgs, signal: 'SIGTERM', signalAfter });
}

const linesOf = ({ out }: Ended) => out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
const messagesOf = (ended: Ended) => linesOf(ended).map(({ msg }) => msg);

/** Runs the process, and returns the URLs of all modules that it loads, and of those that tracing needs. */
async function runRecorded(env: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'survey-preload-'));
  open.push({ close: () => rm(folder, { recursive: true }) });
  const file = join(folder, 'loaded');
  const ended = await run(env, { imports: [recorderTo(file), preload] });
  const modules = (await readFile(file, 'utf8')).split('\n');
  const tracingModules = modules
    .filter((url) => /node_modules\/(@opentelemetry|import-in-the-middle|require-in-the-middle)\//.test(url))
    .filter((url) => !url.includes('@opentelemetry/api/'));
  return { ended, modules, tracingModules };
}

describe('a process with the preload', () => {
  it('exports all spans, including the last ones, to the configured collector', async () => {
    const collector = await startOtlpCollector();
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

  it('exports only listed attributes of the process, with spans and log lines', async () => {
    const collector = await startOtlpCollector();
    open.push(collector);
    const wanted = 'deployment.environment.name=staging,k8s.pod.name=survey-1';
    await run({
      ...exportingTo(collector.url),
      OTEL_SERVICE_NAME: 'tested',
      OTEL_RESOURCE_ATTRIBUTES: `${wanted},host.name=secret,process.command_args=secret,note=secret`,
    });
    const known = {
      'deployment.environment.name': 'staging',
      'k8s.pod.name': 'survey-1',
      'service.instance.id': expect.any(String),
      'service.name': 'tested',
      'service.version': manifest.version,
      'telemetry.sdk.language': 'nodejs',
      'telemetry.sdk.name': 'opentelemetry',
      'telemetry.sdk.version': expect.any(String),
    };
    const exported = [...collector.spans, ...collector.lines];
    expect(exported.length).toBeGreaterThan(2);
    for (const { resource, raw } of exported) {
      expect(resource).toEqual(known);
      expect(raw).not.toContain('secret');
    }
  });

  it('instruments named and namespace imports, and propagates the context', async () => {
    const collector = await startOtlpCollector();
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
    const collector = await startOtlpCollector();
    open.push(collector);
    const lines = linesOf(await run(tracingTo(collector.url)));
    expect(lines.find(({ msg }) => msg === 'inside')).toMatchObject({ trace_id: collector.spans[0]?.traceId });
    expect(lines.find(({ msg }) => msg === 'started')).not.toHaveProperty('trace_id');
  });

  it.each([
    ['no variable is set', {}],
    ['no endpoint is named', { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_SERVICE_NAME: 'tested' }],
    ['the SDK is switched off', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' }],
    ['logs have no endpoint', { OTEL_LOGS_EXPORTER: 'otlp' }],
    ['no traces are wanted', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_EXPORTER: 'none' }],
  ])('loads nothing of the SDK and its instrumentations when %s', async (_case, env) => {
    const { ended, modules, tracingModules } = await runRecorded(env);
    expect(ended.code).toBe(0);
    expect(modules.join()).toContain('telemetry/preload.ts');
    expect(tracingModules).toEqual([]);
    expect(linesOf(ended).find(({ msg }) => msg === 'inside')).not.toHaveProperty('trace_id');
  });

  it('loads them if tracing is enabled', async () => {
    const collector = await startOtlpCollector();
    open.push(collector);
    expect((await runRecorded(tracingTo(collector.url))).tracingModules.join()).toMatch(/sdk-node/);
  });

  it('serves, stops cleanly and logs the problem without a collector', async () => {
    const env = { ...tracingTo('http://127.0.0.1:1'), OTEL_EXPORTER_OTLP_TIMEOUT: '300' };
    const ended = await run(env, { until: 'telemetry has a problem' });
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(messagesOf(ended)).toEqual(
      expect.arrayContaining(['inside', 'started', 'stopped', 'telemetry has a problem']),
    );
  });

  it('serves and stops cleanly if the collector accepts connections but never replies', async () => {
    const { url } = await startMuteServer();
    const ended = await run(tracingTo(url));
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(messagesOf(ended)).toEqual(
      expect.arrayContaining(['inside', 'started', 'stopped', 'cannot export the last spans and log lines']),
    );
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'smoke' }],
    [{ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'smoke' }],
    [{ OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: 'smoke' }],
  ])('does not start with the unknown protocol of %o, and reports it', async (env) => {
    const ended = await run({ ...exportingTo('http://127.0.0.1:1'), ...env });
    expect([ended.code, ended.out]).toEqual([1, '']);
    expect(ended.err).toContain(`${Object.keys(env).join()} must be one of http/protobuf, http/json, grpc: smoke`);
  });
});

describe('a process that exports its log', () => {
  it('sends the lines of standard output, including the last ones, with severity and trace', async () => {
    const collector = await startOtlpCollector();
    open.push(collector);
    const env = { ...exportingTo(collector.url), OTEL_SERVICE_NAME: 'tested', OTEL_BLRP_SCHEDULE_DELAY: '60000' };
    const ended = await run(env);
    expect(ended.code).toBe(0);
    expect(collector.lines.map(({ message }) => message)).toEqual(messagesOf(ended));
    const line = (wanted: string) => collector.lines.find(({ message }) => message === wanted);
    const [begin] = collector.spans.filter(({ name }) => name === 'begin');
    expect(line('inside')).toMatchObject({
      traceId: begin?.traceId,
      spanId: begin?.spanId,
      severity: 'info',
      severityNumber: 9,
      resource: { 'service.name': 'tested', 'service.instance.id': begin?.resource['service.instance.id'] },
      attributes: { service: 'under-trace' },
    });
    expect(line('started')).not.toHaveProperty('traceId');
    expect(line('redacted')).toMatchObject({ severity: 'warn', severityNumber: 13, attributes: { tenant_id: 't1' } });
    expect(line('failed')).toMatchObject({
      severity: 'error',
      severityNumber: 17,
      attributes: {
        'exception.type': 'AppError',
        'exception.message': expect.any(String),
        'exception.stacktrace': expect.stringContaining('    at '),
      },
    });
    expect(collector.lines.map(({ raw }) => raw).join()).not.toContain('secret');
  });

  it('needs no traces', async () => {
    const collector = await startOtlpCollector();
    open.push(collector);
    const ended = await run({ ...exportingTo(collector.url), OTEL_TRACES_EXPORTER: 'none' });
    expect(collector.lines.map(({ message }) => message)).toEqual(messagesOf(ended));
    expect(collector.lines.filter((line) => 'traceId' in line)).toEqual([]);
    expect(collector.spans).toEqual([]);
  });

  it('exports no line by default', async () => {
    const collector = await startOtlpCollector();
    open.push(collector);
    const ended = await run(tracingTo(collector.url));
    expect(messagesOf(ended)).toContain('inside');
    expect([collector.spans.length > 0, collector.lines]).toEqual([true, []]);
  });

  it('drops lines beyond its queue, and long fields of long lines, but writes all to standard output', async () => {
    const collector = await startOtlpCollector();
    open.push(collector);
    const ended = await run({
      ...exportingTo(collector.url),
      LINES: '5000',
      OTEL_BLRP_MAX_QUEUE_SIZE: '100',
      OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: '100',
    });
    const many = 'one of many';
    expect(messagesOf(ended).filter((message) => message === many)).toHaveLength(5_000);
    const exported = collector.lines.filter(({ message }) => message === many);
    // One batch is on its way while the queue fills.
    expect(exported.length).toBeGreaterThan(0);
    expect(exported.length).toBeLessThanOrEqual(200);
    expect(collector.lines.at(-1)).toMatchObject({ message: 'stopped' });
    expect(linesOf(ended).find(({ msg }) => msg === 'long')).toHaveProperty('text');
    expect(collector.lines.find(({ message }) => message === 'long')).toHaveProperty('attributes', {
      service: 'under-trace',
      tenant_id: 't1',
    });
  });

  it('does not export the problems of the export', async () => {
    const bodies: string[] = [];
    const server = createHttpServer((request, response) => {
      void text(request).then((body) => {
        bodies.push(body);
        response.writeHead(400).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => new Promise<void>((resolve) => void server.close(() => resolve())) });
    const { port } = server.address() as AddressInfo;
    const ended = await run(exportingTo(`http://127.0.0.1:${port}`), { until: 'telemetry has a problem' });
    expect([ended.code, bodies.join().includes('inside')]).toEqual([0, true]);
    expect(bodies.join()).not.toContain('telemetry has a problem');
  });
});

async function startMuteServer(): Promise<{ readonly url: string }> {
  const server: Server = createServer((socket) => void socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => new Promise<void>((resolve) => void server.close(() => resolve())) });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
}
