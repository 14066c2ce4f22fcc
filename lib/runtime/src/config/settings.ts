import { readFileSync } from 'node:fs';

/** One variable of the environment: how it is read, and what it means. */
export interface Setting<T> {
  readonly env: string;
  readonly help: string;
  /** What holds when the variable is not set, as it would be written; none makes the variable required. */
  readonly fallback?: string;
  /** Never printed, and may come from the file that `<env>_FILE` names. */
  readonly secret?: boolean;
  /** Throws an `Error` that says what is expected. `file` is the one that a secret was read from. */
  readonly parse: (raw: string, file?: string) => T;
  /** What is wrong beside other variables of the table, if anything; `given` tells what one holds, '' for nothing. */
  readonly check?: (given: (env: string) => string) => string | undefined;
}

// `any` is what a constraint on any kind of setting needs; the result is typed by the settings themselves.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Settings = Readonly<Record<string, Setting<any>>>;

/** The values of a table of settings. */
export type Config<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** Everything that is wrong with the environment, at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration has problems:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Reads all settings, or throws one `ConfigError` with every problem. Values of secrets are in no message. */
export function readConfig<const S extends Settings>(settings: S, env: NodeJS.ProcessEnv): Config<S> {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  const raws = new Map<string, string>();
  for (const [name, setting] of Object.entries(settings)) {
    try {
      const { raw, file } = rawValue(setting, env);
      raws.set(setting.env, raw ?? '');
      if (raw === undefined) problems.push(`${setting.env} is not set: ${setting.help}`);
      else config[name] = setting.parse(raw, file);
    } catch (error) {
      problems.push(`${setting.env} ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  for (const setting of Object.values(settings)) {
    const problem = setting.check?.((other) => raws.get(other) ?? '');
    if (problem !== undefined) problems.push(`${setting.env} ${problem}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  // Every key of the table was read above.
  return config as Config<S>;
}

/** The table of settings for people, one variable a paragraph. */
export function describeSettings(settings: Settings): string {
  return Object.values(settings)
    .map(({ env, help, fallback, secret }) => {
      const rule = fallback === undefined ? 'required' : fallback === '' ? 'optional' : `default ${fallback}`;
      return `${env} (${rule})${secret ? `, or ${env}_FILE` : ''}\n    ${help}`;
    })
    .join('\n');
}

function rawValue(setting: Setting<unknown>, env: NodeJS.ProcessEnv): { raw: string | undefined; file?: string } {
  const value = env[setting.env];
  if (value !== undefined && value !== '') return { raw: value };
  const file = setting.secret ? env[`${setting.env}_FILE`] : undefined;
  if (file === undefined || file === '') return { raw: setting.fallback };
  try {
    // An empty file is as good as none, like an empty variable.
    return { raw: readFileSync(file, 'utf8').trim() || setting.fallback, file };
  } catch (cause) {
    throw new Error(`cannot be read from ${file}`, { cause });
  }
}
