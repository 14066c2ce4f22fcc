import { SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from 'vitest';
import { createRedactingExporter } from './start-telemetry.ts';

describe('what leaves the process', () => {
  it('has only listed attributes, no text of an error and no event', async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new TracerProvider({
      spanProcessors: [new SimpleSpanProcessor({ exporter: createRedactingExporter(exporter) })],
    });
    const outside = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 };
    const span = provider.getTracer('test').startSpan('insert users', {
      attributes: {
        'db.system.name': 'mongodb',
        'db.collection.name': 'users',
        'db.query.text': '{"email":"zoe@example.org"}',
        'url.full': 'https://example.org/hook?token=secret',
        'user_agent.original': 'secret',
        'client.address': '192.0.2.1',
        'http.request.header.authorization': ['secret'],
      },
      links: [{ context: outside, attributes: { note: 'secret' } }],
    });
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'E11000 dup key: { email: "zoe@example.org" }' });
    span.recordException(new Error('secret'));
    span.end();
    await provider.forceFlush();

    const [exported] = exporter.getFinishedSpans();
    expect(exported?.attributes).toEqual({
      'db.system.name': 'mongodb',
      'db.collection.name': 'users',
      'db.response.status_code': '11000',
      'error.type': '11000',
    });
    expect(exported?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(exported?.events).toEqual([]);
    expect(exported?.links).toEqual([{ context: outside }]);
    expect([exported?.name, exported?.ended, exported?.spanContext()]).toEqual([
      'insert users',
      true,
      span.spanContext(),
    ]);
    expect(exported?.duration.every((part) => part >= 0)).toBe(true);
  });
});
