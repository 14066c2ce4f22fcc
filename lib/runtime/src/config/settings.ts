import { readFileSync } from 'node:fs';

/** One variable of the environment: how it is read, and what it means. */
export interface Setting<T> {
  readonly env: string;
  readonly help: string;
  /** What holds when the variable is not set, as it would be written; none makes the variable required. */
  readonly fallback?: string;
  /** Never printed, and may come from the file that `<env>_FILE` names. */
  readonly secret?: boolean;
  /** Throws an `Error` that says what is expected. */
  readonly parse: (raw: string) => T;
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
  for (const [name, setting] of Object.entries(settings)) {
    try {
      const raw = rawValue(setting, env);
      if (raw === undefined) problems.push(`${setting.env} is not set: ${setting.help}`);
      else config[name] = setting.parse(raw);
    } catch (error) {
      problems.push(`${setting.env} ${error instanceof Error ? error.message : String(error)}`);
    }
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

function rawValue(setting: Setting<unknown>, env: NodeJS.ProcessEnv): string | undefined {
  const value = env[setting.env];
  if (value !== undefined && value !== '') return value;
  const file = setting.secret ? env[`${setting.env}_FILE`] : undefined;
  if (file !== undefined && file !== '') {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (cause) {
      throw new Error(`cannot be read from ${file}`, { cause });
    }
  }
  return setting.fallback;
}
