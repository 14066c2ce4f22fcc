import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { type Config, ConfigError, describeSettings, readConfig, type Setting } from '../config/settings.ts';
import { createLog } from '../log/create-log.ts';
import { endTelemetry, logTelemetryProblems } from '../telemetry/process-telemetry.ts';

/** A process that is created but not started. */
export interface App {
  /** Creates indexes and topics, before any process serves. Can be repeated. */
  setup(): Promise<void>;
  start(): Promise<unknown>;
  /** Finishes running work and closes everything. Called once. */
  stop(): Promise<void>;
}

/** Settings that every process has. */
interface CommonSettings extends Readonly<Record<string, Setting<unknown>>> {
  readonly logLevel: Setting<string>;
  readonly drainMs: Setting<number>;
  readonly stopMs: Setting<number>;
}

interface Options<S extends CommonSettings> {
  readonly name: string;
  readonly settings: S;
  readonly createApp: (config: Config<S>, log: Logger, fatal: (error: unknown) => void) => Promise<App>;
}

/**
 * Runs a process until SIGTERM or SIGINT. With the argument `--help`, it only prints its settings. With `setup`, it
 * only prepares databases and topics. Exit code: 0 after a clean stop, 1 after an error.
 */
export async function runProcess<S extends CommonSettings>({ name, settings, createApp }: Options<S>): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${name}\n\n${describeSettings(settings)}\n`);
    return;
  }
  disablePretenuring();
  const config = readConfigOrExit(settings);
  const log = createLog({ service: name, level: String(config.logLevel) });
  logTelemetryProblems(log);
  const shutdown = createShutdown(log, Number(config.drainMs) + Number(config.stopMs));
  process.on('uncaughtException', (error) => shutdown.fail(error));
  process.on('unhandledRejection', (error) => shutdown.fail(error));
  const isSetup = process.argv[2] === 'setup';
  if (!isSetup) {
    // Register these before anything slow: the first process of a container ignores signals that it does not handle.
    process.on('SIGTERM', () => void shutdown.stop('SIGTERM'));
    process.on('SIGINT', () => void shutdown.stop('SIGINT'));
  }
  try {
    const app = await createApp(config, log, shutdown.fail);
    shutdown.onStop(() => app.stop());
    if (isSetup) {
      await app.setup();
      await shutdown.stop('set-up is done');
      return;
    }
    if (shutdown.isStopping()) return;
    await app.start();
    log.info('started');
  } catch (error) {
    // Ignore errors after a stop: the stop closes connections that the start still uses.
    if (!shutdown.isStopping()) shutdown.fail(error);
  }
}

function readConfigOrExit<S extends CommonSettings>(settings: S): Config<S> {
  try {
    return readConfig(settings, process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** @param deadlineMs time limit of the stop, after which the process exits anyway */
function createShutdown(log: Logger, deadlineMs: number) {
  let stopApp: (() => Promise<void>) | undefined;
  let stopping = false;

  async function stop(cause: string): Promise<void> {
    if (stopping) return;
    stopping = true;
    log.info({ cause }, 'stopping');
    const deadline = setTimeout(() => {
      log.error('stop timed out');
      void endTelemetry(log).finally(() => process.exit(1));
    }, deadlineMs);
    try {
      await stopApp?.();
      log.info('stopped');
    } catch (error) {
      log.error({ err: error }, 'stop failed');
      process.exitCode = 1;
    }
    clearTimeout(deadline);
    // The deadline is cleared first, so that an unreachable collector cannot change the exit code.
    await endTelemetry(log);
    process.exit(process.exitCode ?? 0);
  }

  return {
    stop,
    isStopping: () => stopping,
    onStop(callback: () => Promise<void>): void {
      stopApp = callback;
    },
    /** Reports an error that the process cannot survive, and stops. */
    fail(error: unknown): void {
      log.fatal({ err: error }, 'fatal error');
      process.exitCode = 1;
      void stop('fatal');
    },
  };
}

/**
 * Makes V8 allocate all objects in the young generation. By default, V8 allocates objects in the old generation if
 * earlier objects of the same code location often survived, as under load. Garbage in the old generation keeps other
 * objects alive until a full collection: see ADR 0051. With the default, a proxy under load spends 1.8 times as long in
 * collections, and its 99th percentile of latency is 1.6 times as high.
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/** Time limit of the last requests for metrics and health, in milliseconds. */
export const ADMIN_GRACE_MS = 1_000;

/** The part of `STOP_MS` for running calls. In the rest, workers finish and connections close. Milliseconds. */
export function timeToFinishCalls(stopMs: number): number {
  return stopMs * 0.6;
}
