type Run = (command: string, args: readonly string[], cwd: string) => Promise<void>;

export declare function install(folder: string, run?: Run): Promise<void>;
export declare function chooseNode(folder: string, version?: string): string;
export declare function runInForeground(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<number>;
