import { findCommand, type ParsedArguments, UsageError } from '@survey/local/process/command-line';
import type { Command, options } from './command.ts';
import { installationCommands } from './installation-commands.ts';
import { kafkaCommands } from './kafka-commands.ts';
import { tenantCommands } from './tenant-commands.ts';

const COMMANDS = { ...installationCommands, ...tenantCommands, ...kafkaCommands };

/** Runs the command that the arguments name. Throws `UsageError` if arguments are missing or wrong. */
export function runAdminCommand(parsed: ParsedArguments<typeof options>): ReturnType<Command['run']> {
  const command = findCommand(COMMANDS, parsed, ({ required, optional = [] }) => [...required, ...optional]);
  const { values, positionals } = parsed;
  for (const option of command.required)
    if (!values[option]) throw new UsageError(`${positionals.join(' ')} needs --${option}`);
  return command.run(values);
}
