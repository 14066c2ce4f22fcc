import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { createLineExporter } from '../telemetry/line-exporter.ts';
import { traceFields } from '../telemetry/spans.ts';
import { type BatchedLines, batchLines } from './batch-lines.ts';
import { errorFields } from './error-fields.ts';

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
  // Write the last lines before the process exits: they have the reason.
  if (level !== 'silent') process.once('exit', lines.flushSync);
  return pino(options, withExport(lines));
}

/** Also exports each line. The exported line is the written one, so the redaction is the same. */
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
