/** Installs the packages of package-lock.json with `run`, unless they are installed already. */
export function install(
  root: string,
  run?: (command: string, args: readonly string[], cwd: string) => Promise<void>,
): Promise<void>;
