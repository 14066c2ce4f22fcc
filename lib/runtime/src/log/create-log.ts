import { type DestinationStream, destination, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';
import { createLineExporter } from '../telemetry/line-exporter.ts';
import { traceFields } from '../telemetry/spans.ts';

/** Members that are redacted in every logged object, down to its third level. */
const SECRETS = ['authorization', 'password', 'secret', 'token', 'cookie'];

/**
 * Logs JSON lines to standard output, each with the name of the process and the ids of the current trace. If the export
 * of logs is enabled, the collector gets them too.
 */
export function createLog({ service, level }: { service: string; level: string }): Logger {
  const redact = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  const options = {
    level,
    redact,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: levelName },
    mixin: traceFields,
    serializers: { err: errorFields },
  };
  const lines = batchLines(destination({ dest: 1, sync: true }));
  // Write the last lines before the process exits: they contain the reason.
  if (level !== 'silent') process.once('exit', lines.flushSync);
  return pino(options, withExport(lines));
}

/** Also exports each line, after its redaction. */
function withExport(lines: BatchedLines): BatchedLines {
  const exporter = createLineExporter();
  if (exporter === undefined) return lines;
  return {
    write(line) {
      lines.write(line);
      exporter.write(line);
    },
    flushSync: lines.flushSync,
  };
}

function levelName(label: string): { level: string } {
  return { level: label };
}

interface BatchedLines extends DestinationStream {
  /** Writes all lines now. The logger calls it after a fatal line. */
  flushSync(): void;
}

/** Writes all lines of one iteration of the event loop together, to save system calls. */
export function batchLines(destination: DestinationStream): BatchedLines {
  let lines = '';

  function flushSync(): void {
    if (lines === '') return;
    const text = lines;
    lines = '';
    destination.write(text);
  }

  return {
    write(line) {
      if (lines === '') setImmediate(flushSync);
      lines += line;
    },
    flushSync,
  };
}

interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  /** Code of a library, the system or gRPC. */
  readonly code?: string | number;
  /** Errors of an `AggregateError`. */
  readonly errors?: readonly ErrorFields[];
}

/** Values of a unique index in a message of MongoDB: they are tenants' data. */
const DUPLICATE_VALUES = /(dup key: ).*/g;

/**
 * Selects the fields of an error that may be logged, with its causes. Other members, which libraries add, may hold
 * documents, headers or addresses. Thrown values that are not errors are logged by type only.
 */
export function errorFields(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error', stack: '' };
  const { type, message, stack } = stdSerializers.err(error);
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type,
    message: withoutValues(message),
    stack: withoutValues(stack),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(error instanceof AggregateError ? { errors: error.errors.map(errorFields) } : {}),
  };
}

function withoutValues(text: string): string {
  return text.replace(DUPLICATE_VALUES, '$1…');
}
