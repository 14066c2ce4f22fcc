import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import type { CollectedSpan } from './otlp-collector.ts';

export type TestSpan = Pick<
  CollectedSpan,
  'traceId' | 'spanId' | 'name' | 'kind' | 'attributes' | 'failed' | 'links'
> & {
  readonly parentSpanId: string | undefined;
};

/** Tracing in the test process. OpenTelemetry's state is global, so use one at a time. */
export interface TestTracing {
  /** Ended spans, in the order of their ends. */
  spans(): Promise<readonly TestSpan[]>;
  stop(): Promise<void>;
}

export function startTestTracing(): TestTracing {
  const exporter = new InMemorySpanExporter();
  const processor = new SimpleSpanProcessor({ exporter });
  const sdk = new NodeSDK({
    spanProcessors: [processor],
    textMapPropagator: new W3CTraceContextPropagator(),
    autoDetectResources: false,
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  return {
    async spans() {
      await processor.forceFlush();
      return exporter.getFinishedSpans().map(toTestSpan);
    },
    async stop() {
      await sdk.shutdown();
      for (const api of [trace, context, propagation]) api.disable();
    },
  };
}

const KINDS = {
  [SpanKind.INTERNAL]: 'internal',
  [SpanKind.SERVER]: 'server',
  [SpanKind.CLIENT]: 'client',
  [SpanKind.PRODUCER]: 'producer',
  [SpanKind.CONSUMER]: 'consumer',
} as const;

function toTestSpan(span: ReadableSpan): TestSpan {
  const { traceId, spanId } = span.spanContext();
  return {
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId,
    name: span.name,
    kind: KINDS[span.kind],
    attributes: span.attributes,
    failed: span.status.code === SpanStatusCode.ERROR,
    links: span.links.map((link) => link.context.traceId),
  };
}
