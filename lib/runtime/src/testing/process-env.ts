/** Variables of a process that a test starts: `env`, and those that find commands and compiled modules. */
export function processEnv(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE, ...env };
}
