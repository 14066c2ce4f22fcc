import { type AnyValue, logs, SeverityNumber } from '@opentelemetry/api';
import type { DestinationStream } from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import { TELEMETRY_PROBLEM } from './process-telemetry.ts';
import { SCHEMA_URL } from './spans.ts';

/** Longest line that is exported with all of its fields, in characters. It bounds the memory of the queue. */
const MAX_CHARACTERS = 16_384;

const SEVERITIES: Readonly<Record<string, SeverityNumber>> = {
  trace: SeverityNumber.TRACE,
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  fatal: SeverityNumber.FATAL,
};

type Attributes = Record<string, AnyValue>;

/** Members of a line, after the serializers and the redaction of the log. */
interface Line {
  readonly time: string;
  readonly level: string;
  readonly msg?: string;
  /** Not exported as attributes: the context of the record has the same ids. */
  readonly trace_id?: string;
  readonly span_id?: string;
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: string };
  readonly [field: string]: AnyValue;
}

/**
 * Creates a destination that exports JSON lines of the log to the collector, in the trace of the active span. Its queue
 * is bounded, and drops lines that do not fit. Undefined if the export is not enabled.
 */
export function createLineExporter(): DestinationStream | undefined {
  const logger = logs.getLogger('@survey/runtime', manifest.version, { schemaUrl: SCHEMA_URL });
  if (!logger.enabled()) return undefined;
  return {
    write(text) {
      // The log writes this format.
      const { time, level, msg, trace_id: _trace, span_id: _span, err, ...fields } = JSON.parse(text) as Line;
      if (msg === TELEMETRY_PROBLEM) return;
      const attributes = { ...fields, ...toAttributes(err) };
      logger.emit({
        timestamp: Date.parse(time),
        severityText: level,
        severityNumber: SEVERITIES[level] ?? SeverityNumber.UNSPECIFIED,
        body: msg?.slice(0, MAX_CHARACTERS),
        attributes: text.length > MAX_CHARACTERS ? shorten(attributes) : attributes,
      });
    },
  };
}

/** Keeps the first attributes, and leaves out those that do not fit. */
function shorten(attributes: Attributes): Attributes {
  let left = MAX_CHARACTERS;
  const fitting = Object.entries(attributes).filter(([name, value]) => {
    const size = name.length + (JSON.stringify(value)?.length ?? 0);
    if (size > left) return false;
    left -= size;
    return true;
  });
  return Object.fromEntries(fitting);
}

/** The attributes of an error, named by the semantic conventions. Other members keep their names. */
function toAttributes(err: Line['err']): Attributes {
  if (err === undefined) return {};
  const { type, message, stack, ...others } = err;
  return {
    'exception.type': type,
    'exception.message': message,
    'exception.stacktrace': stack,
    ...(Object.keys(others).length === 0 ? {} : { err: others }),
  };
}
