import type { Logger } from 'pino';
import { type Config, ConfigError, describeSettings, readConfig, type Setting } from '../config/settings.ts';
import { createLog } from '../log/create-log.ts';
import { endTracing } from '../telemetry/end-tracing.ts';
import { logTracingProblems } from '../telemetry/log-tracing-problems.ts';
import { keepGarbageYoung } from './keep-garbage-young.ts';

/** A process that is built and not started. */
export interface App {
  /** Creates what has to be there before any process serves: indexes, topics. Can be repeated. */
  setup(): Promise<void>;
  start(): Promise<unknown>;
  /** Finishes what runs and closes everything. Is called once. */
  stop(): Promise<void>;
}

/** Settings that every process has, whatever else it reads. */
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
 * The life of a process: `--help` prints its settings, `setup` prepares databases and topics and ends, and without an
 * argument it serves until SIGTERM or SIGINT. Exit code 0 after an orderly stop, 1 otherwise.
 */
export async function runProcess<S extends CommonSettings>({ name, settings, createApp }: Options<S>): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${name}\n\n${describeSettings(settings)}\n`);
    return;
  }
  keepGarbageYoung();
  const config = readConfigOrExit(settings);
  const log = createLog({ service: name, level: String(config.logLevel) });
  logTracingProblems(log);
  const end = createEnd(log, Number(config.drainMs) + Number(config.stopMs));
  process.on('uncaughtException', (error) => end.fail(error));
  process.on('unhandledRejection', (error) => end.fail(error));
  try {
    const app = await createApp(config, log, end.fail);
    end.onStop(() => app.stop());
    if (process.argv[2] === 'setup') {
      await app.setup();
      await end.stop('set-up is done');
      return;
    }
    process.on('SIGTERM', () => void end.stop('SIGTERM'));
    process.on('SIGINT', () => void end.stop('SIGINT'));
    await app.start();
    log.info('started');
  } catch (error) {
    // A start that is stopped loses what it needs.
    if (!end.isStopping()) end.fail(error);
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

/** @param deadlineMs how long the stop may take before the process ends all the same */
function createEnd(log: Logger, deadlineMs: number) {
  let stopApp: (() => Promise<void>) | undefined;
  let stopping = false;

  async function stop(why: string): Promise<void> {
    if (stopping) return;
    stopping = true;
    log.info({ why }, 'stopping');
    const deadline = setTimeout(() => {
      log.error('the stop took too long');
      process.exit(1);
    }, deadlineMs);
    try {
      await stopApp?.();
      log.info('stopped');
    } catch (error) {
      log.error({ err: error }, 'the stop failed');
      process.exitCode = 1;
    }
    clearTimeout(deadline);
    // A collector that is away is no reason for the exit code of a failure.
    await endTracing(log);
    process.exit(process.exitCode ?? 0);
  }

  return {
    stop,
    isStopping: () => stopping,
    onStop(callback: () => Promise<void>): void {
      stopApp = callback;
    },
    /** Something broke that the process cannot go on without. */
    fail(error: unknown): void {
      log.fatal({ err: error }, 'fatal');
      process.exitCode = 1;
      void stop('fatal');
    },
  };
}
