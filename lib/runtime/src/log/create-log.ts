import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { traceFields } from '../telemetry/spans.ts';
import { errorFields } from './error-fields.ts';
import { gatherLines } from './gather-lines.ts';

/** Members that are never written, wherever somebody logs an object that has them. */
const SECRETS = ['authorization', 'password', 'secret', 'token', 'cookie'];

/** JSON lines on standard output, each with the name of the process and, where one is running, of the trace. */
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
  const lines = gatherLines(destination({ dest: 1, sync: true }));
  // A line that explains why the process ends must not be lost with it.
  if (level !== 'silent') process.once('exit', lines.flushSync);
  return pino(options, lines);
}

function levelName(label: string): { level: string } {
  return { level: label };
}
