/** Variables of a process that a test starts: `env`, and the paths of commands and compiled modules. */
export function processEnv(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE, ...env };
}
