/** A command, and its standard input. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** The command as a line for a shell. */
export function toCommandLine({ command, args, env = {} }: Command): string {
  const words = [...Object.entries(env).map(([name, value]) => `${name}=${value}`), command, ...args];
  return words.map((word) => (/^[\w./:=,@-]+$/.test(word) ? word : `'${word}'`)).join(' ');
}
