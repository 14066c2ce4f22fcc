import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import manifest from '../../package.json' with { type: 'json' };

/** Version of the semantic conventions that name the attributes. */
export const SCHEMA_URL = 'https://opentelemetry.io/schemas/1.44.0';

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

interface SpanOptions {
  /** Low cardinality: a method, route or topic; never an id. */
  readonly name: string;
  readonly kind: keyof typeof kinds;
  /** Named by the semantic conventions. Other attributes are not exported (see `start-telemetry.ts`). */
  readonly attributes: Attributes;
}

/** A span that has not ended. Without tracing, it does nothing. */
export interface RunningSpan {
  /** W3C trace context of the span; undefined without a trace. */
  readonly traceparent: string | undefined;
  /** Id of the trace if it is sampled, for exemplars. */
  readonly recordedTraceId: string | undefined;
  /** Runs work inside the span: new spans become its children, and log lines contain its trace id. */
  run<T>(work: () => T): T;
  /** Ends the span. `error` marks it as failed: an error code or the name of a class, nothing longer. */
  end(outcome?: { readonly name?: string; readonly attributes?: Attributes; readonly error?: string }): void;
}

/** Starts the span of an incoming call: in the caller's trace, or in a new one. */
export function startServerSpan(options: Omit<SpanOptions, 'kind'> & { readonly traceparent: string }): RunningSpan {
  const parent = contextOf(options.traceparent);
  return toRunning(startSpan({ ...options, kind: 'server' }, parent), parent);
}

/** Starts a new trace for a call from outside, with only a link to the caller's trace, which is not trusted. */
export function startTrace(
  options: Omit<SpanOptions, 'kind'> & { readonly traceparent: string | undefined },
): RunningSpan {
  const { name, attributes, traceparent } = options;
  const callerContext = trace.getSpanContext(contextOf(traceparent));
  const links = callerContext === undefined ? [] : [{ context: callerContext }];
  const span = tracer().startSpan(name, { kind: SpanKind.SERVER, attributes, links }, ROOT_CONTEXT);
  return toRunning(span, ROOT_CONTEXT);
}

/** Starts a span in the trace of `traceparent`. Does nothing without a trace. */
export function startSpanInTrace(options: SpanOptions & { readonly traceparent: string | undefined }): RunningSpan {
  return startChildOf(contextOf(options.traceparent), options);
}

/** Starts a child of the active span. Does nothing if no span is active. */
export function startChildSpan(options: SpanOptions): RunningSpan {
  return startChildOf(context.active(), options);
}

/** W3C trace context of the active span; undefined if no span is active. */
export function runningTraceparent(): string | undefined {
  return traceparentOf(context.active());
}

/** Fields for log lines in the active span; empty if no span is active. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const running = trace.getActiveSpan()?.spanContext();
  return running !== undefined && isSpanContextValid(running)
    ? { trace_id: running.traceId, span_id: running.spanId }
    : {};
}

function startChildOf(parent: Context, options: SpanOptions): RunningSpan {
  return trace.getSpanContext(parent) === undefined ? NO_TRACE : toRunning(startSpan(options, parent), parent);
}

const NO_TRACE: RunningSpan = { traceparent: undefined, recordedTraceId: undefined, run: (work) => work(), end() {} };

function startSpan({ name, kind, attributes }: SpanOptions, parent: Context): Span {
  return tracer().startSpan(name, { kind: kinds[kind], attributes }, parent);
}

function toRunning(span: Span, parent: Context): RunningSpan {
  const inSpan = trace.setSpan(parent, span);
  return {
    get traceparent() {
      return traceparentOf(inSpan);
    },
    get recordedTraceId() {
      return span.isRecording() ? span.spanContext().traceId : undefined;
    },
    run: (work) => context.with(inSpan, work),
    end({ name, attributes = {}, error } = {}) {
      if (name !== undefined) span.updateName(name);
      span.setAttributes(error === undefined ? attributes : { ...attributes, 'error.type': error });
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function tracer() {
  return trace.getTracerProvider().getTracer('@survey/runtime', manifest.version, { schemaUrl: SCHEMA_URL });
}

function contextOf(traceparent: string | undefined): Context {
  if (traceparent === undefined || traceparent === '') return ROOT_CONTEXT;
  return propagation.extract(ROOT_CONTEXT, { traceparent });
}

function traceparentOf(active: Context): string | undefined {
  const headers: Record<string, string> = {};
  propagation.inject(active, headers);
  return headers['traceparent'];
}
