import type { Readable, Writable } from 'node:stream';
import type { ParseArgsConfig } from 'node:util';
import type { Client } from '@survey/client';

/** The parts of the process that commands use. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** A running command. */
export interface CommandContext extends Terminal {
  /** Words after the name of the command. */
  readonly args: readonly string[];
  /** The value of an option; undefined if it is not given. */
  option(name: string): string | undefined;
  hasFlag(name: string): boolean;
  /** Prints a line on standard output. */
  print(line: string): void;
  /** Prints a line for people on standard error. */
  note(line: string): void;
  /** Returns an API client for the logged-in user. Throws `UsageError` if no user is logged in. */
  client(): Promise<Client>;
}

/** A command such as `surveys push`. */
export interface Command {
  /** Its arguments, such as `FILE [SURVEY_ID]`. */
  readonly usage: string;
  readonly summary: string;
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** Minimum and maximum number of arguments. */
  readonly arity: readonly [number, number];
  /** Returns the exit code, by default 0. */
  readonly run: (context: CommandContext) => Promise<number | undefined>;
}

/** A mistake in the arguments of a command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
