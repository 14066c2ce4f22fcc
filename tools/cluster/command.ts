import { toShellWord } from '@survey/local/process/shell-word';

/** A command, and its standard input. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** The command as a line for a shell. */
export function toCommandLine({ command, args, env = {} }: Command): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${toShellWord(value)}`);
  return [...variables, ...[command, ...args].map(toShellWord)].join(' ');
}
