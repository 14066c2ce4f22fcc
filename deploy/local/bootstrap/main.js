import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseNode } from './choose-node.js';
import { install } from './install.js';
import { runInForeground } from './run-in-foreground.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The script of each npm command; the user's arguments follow. */
const COMMANDS = {
  start: ['deploy/local/start.ts'],
  admin: ['deploy/local/admin.ts'],
  cluster: ['deploy/local/cluster.ts'],
  'build:console': ['deploy/local/build-console.ts'],
  'build:packages': ['deploy/local/build-packages.ts'],
  release: ['deploy/local/release.ts'],
  test: ['test/run.ts'],
  'test:all': ['test/run.ts', 'all'],
  'test:chaos': ['test/run.ts', 'chaos'],
  'test:helm': ['node_modules/vitest/vitest.mjs', 'run', '--project', 'helm'],
  'test:cluster': ['test/cluster/run.ts'],
  check: ['test/check.ts'],
  soak: ['test/soak/main.ts'],
  bench: ['test/load/bench.ts'],
  fuzz: ['node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', 'test/e2e/fuzz.e2e.test.ts'],
  generate: ['proto/generate.ts'],
  'generate:helm': ['test/helm/generate.ts'],
  format: ['node_modules/@biomejs/biome/bin/biome', 'check', '--write'],
};

/**
 * Installs missing packages, and runs a command under Node 24.
 * @param {string[]} args the command and its arguments
 * @returns {Promise<number>} the exit code
 */
export async function main([name, ...args]) {
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
  if (command === undefined) {
    console.error(`usage: node deploy/local/bootstrap.js ${Object.keys(COMMANDS).join('|')} [arguments]`);
    return 2;
  }
  try {
    await install(root);
    const { execPath, platform, arch } = process;
    const modules = join(root, 'node_modules');
    const node = chooseNode({ version: process.versions.node, execPath, platform, arch, modules, existsSync });
    const [script, ...fixedArgs] = command;
    return await runInForeground(node, [join(root, script), ...fixedArgs, ...args], {
      cwd: root,
      env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` },
    });
  } catch (error) {
    console.error(error.message);
    return 1;
  }
}
