/** Makes node_modules what package-lock.json says, by `run`, when it is not already. */
export function install(
  root: string,
  run?: (command: string, args: readonly string[], cwd: string) => Promise<void>,
): Promise<void>;
