import { type ParseArgsConfig, parseArgs } from 'node:util';

/** A mistake in the arguments of a command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type CommandOptions = NonNullable<ParseArgsConfig['options']>;

/** The options of a command line, and its words without dashes. */
export type ParsedArguments<Options extends CommandOptions> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>;

/** Values of options, by name. */
export type OptionValues<Options extends CommandOptions> = ParsedArguments<Options>['values'];

interface CommandLine<Options extends CommandOptions> {
  readonly usage: string;
  readonly options: Options;
  /** Whether words without dashes, such as the name of a command, are allowed. Default: false. */
  readonly allowPositionals?: boolean;
  readonly run: (parsed: ParsedArguments<Options>) => Promise<void>;
  /** Text of an error for the terminal. Default: its message. */
  readonly toMessage?: (error: unknown) => string;
}

/**
 * Runs the command that the arguments name. `--help` prints the usage. A wrong argument prints a message with the usage
 * and sets exit code 2; any other error prints its message and sets exit code 1.
 */
export async function runCommandLine<Options extends CommandOptions>({
  usage,
  options,
  allowPositionals = false,
  run,
  toMessage = messageOf,
}: CommandLine<Options>): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    console.log(usage);
    return;
  }
  try {
    await run(parseCommandLine({ args, options, allowPositionals }));
  } catch (error) {
    const isUsage = error instanceof UsageError;
    console.error(isUsage ? `${error.message}\n\n${usage}` : toMessage(error));
    process.exitCode = isUsage ? 2 : 1;
  }
}

/** Parses arguments. Throws `UsageError` for unknown options. */
export function parseCommandLine<Options extends CommandOptions>(config: {
  readonly args: string[];
  readonly options: Options;
  readonly allowPositionals: boolean;
}): ParsedArguments<Options> {
  try {
    return parseArgs(config) as ParsedArguments<Options>;
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/**
 * Finds the command that the words without dashes name. Throws `UsageError` if there is none, or if an option was given
 * that it does not have.
 */
export function findCommand<Command>(
  commands: Readonly<Record<string, Command>>,
  { positionals, values }: { readonly positionals: readonly string[]; readonly values: object },
  optionsOf: (command: Command) => readonly string[],
): Command {
  const name = positionals.join(' ');
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(name === '' ? 'a command is missing' : `no such command: ${name}`);
  const accepted = optionsOf(command);
  for (const option of Object.keys(values))
    if (!accepted.includes(option)) throw new UsageError(`${name} takes no --${option}`);
  return command;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
