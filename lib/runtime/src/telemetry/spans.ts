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

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

interface SpanOptions {
  /** Of few different values: a method, a route, a topic; never an id. */
  readonly name: string;
  readonly kind: keyof typeof kinds;
  /** By the names of the semantic conventions; others do not leave the process (see `discreet-exporter.ts`). */
  readonly attributes: Attributes;
}

/** A span that is not over. Without tracing it does nothing. */
export interface RunningSpan {
  /** Its W3C trace context; undefined when it is in no trace. */
  readonly traceparent: string | undefined;
  /** Runs work that belongs to it: spans that begin meanwhile are its children, log lines name its trace. */
  run<T>(work: () => T): T;
  /** `error` says that it failed, and how: a reason, a code or the name of a class; nothing longer. */
  end(outcome?: { readonly name?: string; readonly attributes?: Attributes; readonly error?: string }): void;
}

/** The span of a call that came in: part of the caller's trace, or the first of a new one. */
export function startServerSpan(options: Omit<SpanOptions, 'kind'> & { readonly traceparent: string }): RunningSpan {
  const parent = contextOf(options.traceparent);
  return toRunning(startSpan({ ...options, kind: 'server' }, parent), parent);
}

/**
 * The first span of a new trace, for what comes from outside: whose trace it says it is part of, and whether that one
 * is sampled, is not believed. The trace only links to it.
 */
export function startTrace(
  options: Omit<SpanOptions, 'kind'> & { readonly traceparent: string | undefined },
): RunningSpan {
  const { name, attributes, traceparent } = options;
  const outside = trace.getSpanContext(contextOf(traceparent));
  const links = outside === undefined ? [] : [{ context: outside }];
  const span = tracer().startSpan(name, { kind: SpanKind.SERVER, attributes, links }, ROOT_CONTEXT);
  return toRunning(span, ROOT_CONTEXT);
}

/** A span of the trace that `traceparent` is of. Does nothing when that is of none: nobody asked to be told. */
export function startChildSpan(options: SpanOptions & { readonly traceparent: string | undefined }): RunningSpan {
  return startBelow(contextOf(options.traceparent), options);
}

/** A span below the running one. Does nothing when none runs. */
export function startSpanBelow(options: SpanOptions): RunningSpan {
  return startBelow(context.active(), options);
}

/** Does work in a span below the running one; what it throws makes the span a failed one, and goes on. */
export async function inSpan<T>(
  options: SpanOptions,
  work: () => Promise<T>,
  nameError: (error: unknown) => string,
): Promise<T> {
  const span = startBelow(context.active(), options);
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end({ error: nameError(error) });
    throw error;
  }
}

/** W3C trace context of the running span; undefined when none runs. */
export function runningTraceparent(): string | undefined {
  return traceparentOf(context.active());
}

/** What the running span adds to a line of the log; nothing when none runs. */
export function traceFields(): { trace_id?: string } {
  const running = trace.getActiveSpan()?.spanContext();
  return running !== undefined && isSpanContextValid(running) ? { trace_id: running.traceId } : {};
}

function startBelow(parent: Context, options: SpanOptions): RunningSpan {
  return trace.getSpanContext(parent) === undefined ? inNoTrace : toRunning(startSpan(options, parent), parent);
}

const inNoTrace: RunningSpan = { traceparent: undefined, run: (work) => work(), end() {} };

function startSpan({ name, kind, attributes }: SpanOptions, parent: Context): Span {
  return tracer().startSpan(name, { kind: kinds[kind], attributes }, parent);
}

function toRunning(span: Span, parent: Context): RunningSpan {
  const inside = trace.setSpan(parent, span);
  return {
    get traceparent() {
      return traceparentOf(inside);
    },
    run: (work) => context.with(inside, work),
    end({ name, attributes = {}, error } = {}) {
      if (name !== undefined) span.updateName(name);
      span.setAttributes(error === undefined ? attributes : { ...attributes, 'error.type': error });
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function tracer() {
  return trace.getTracer('@survey/runtime');
}

function contextOf(traceparent: string | undefined): Context {
  if (traceparent === undefined || traceparent === '') return ROOT_CONTEXT;
  return propagation.extract(ROOT_CONTEXT, { traceparent });
}

function traceparentOf(of: Context): string | undefined {
  const headers: Record<string, string> = {};
  propagation.inject(of, headers);
  return headers['traceparent'];
}
