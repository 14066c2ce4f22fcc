import { readFileSync } from 'node:fs';

/** An environment variable, and how to read it. */
export interface Setting<T> {
  readonly env: string;
  readonly help: string;
  /** Raw value if the variable is not set. Without a fallback, the variable is required. */
  readonly fallback?: string;
  /** Never printed. May come from a file, whose path is in the variable `<env>_FILE`. */
  readonly secret?: boolean;
  /** Throws an `Error` that says what is expected. `file` is the path from which a secret was read. */
  readonly parse: (raw: string, file?: string) => T;
  /** Checks the variable against others, and returns the problem. `rawValueOf` returns '' for an unset variable. */
  readonly check?: (rawValueOf: (env: string) => string) => string | undefined;
}

// `any` accepts settings of every type; `Config` infers the exact types.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Settings = Readonly<Record<string, Setting<any>>>;

export type Config<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** A reason why settings cannot be used. It contains no secrets. */
export interface SettingProblem {
  readonly text: string;
  /** The environment variables that cause the problem. The first one has the wrong value. */
  readonly variables: readonly string[];
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    super(`The configuration has problems:\n${problems.map(({ text }) => `  ${text}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Reads all settings. Throws one `ConfigError` with all problems; it contains no secrets. */
export function readConfig<const S extends Settings>(settings: S, env: NodeJS.ProcessEnv): Config<S> {
  const problems: SettingProblem[] = [];
  const report = (text: string, variables: readonly string[]) => problems.push({ text, variables });
  const config: Record<string, unknown> = {};
  const raws = new Map<string, string>();
  for (const [name, setting] of Object.entries(settings)) {
    try {
      const { raw, file } = rawValue(setting, env);
      raws.set(setting.env, raw ?? '');
      if (raw === undefined) report(`${setting.env} is not set: ${setting.help}`, [setting.env]);
      else config[name] = setting.parse(raw, file);
    } catch (error) {
      report(`${setting.env} ${error instanceof Error ? error.message : String(error)}`, [setting.env]);
    }
  }
  for (const setting of Object.values(settings)) {
    const variables = new Set([setting.env]);
    const problem = setting.check?.((other) => {
      variables.add(other);
      return raws.get(other) ?? '';
    });
    if (problem !== undefined) report(`${setting.env} ${problem}`, [...variables]);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config as Config<S>;
}

/** Help text for a table of settings, one paragraph per variable. */
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
    // Treat an empty file like an empty variable: not set.
    return { raw: readFileSync(file, 'utf8').trim() || setting.fallback, file };
  } catch (cause) {
    throw new Error(`cannot be read from ${file}`, { cause });
  }
}
