// `npm run check` runs all checks whose files have changed since they passed. `npm run check -- FOLDER` checks types,
// lint, format and unit tests of one folder.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { listenForStop } from '@survey/local/process/listen-for-stop';
import { root, runTool } from './support/run-step.ts';

const signal = listenForStop();
const [folder] = process.argv.slice(2);
const isPassed = folder === undefined ? await checkAll() : await checkFolder(relative(root, join(root, folder)));
process.exitCode = isPassed ? 0 : 1;

/** Runs the script "checks" of package.json. */
async function checkAll(): Promise<boolean> {
  const env = { npm_lifecycle_event: 'checks', WIREIT_FAILURES: 'continue' };
  return (await runTool('wireit', [], { show: true, env, signal })).passed;
}

async function checkFolder(path: string): Promise<boolean> {
  if (!existsSync(join(root, path))) throw new Error(`${path} does not exist`);
  const generated = await runTool(process.execPath, ['proto/generate.ts'], { show: true, signal });
  const tools: readonly (readonly [tool: string, ...args: string[]])[] = [
    ['tsc', '-p', await toProject(path)],
    ['oxlint', '--type-aware', '--deny-warnings', path],
    ['biome', 'ci', '--error-on-warnings', '--colors=off', path],
    ['vitest', 'run', '--project', 'unit', '--project', 'isolated', '--passWithNoTests', `${path}/`],
  ];
  const results = await Promise.all(
    tools.map(async ([tool, ...args]) => {
      const { passed, output } = await runTool(tool, args, { signal });
      console.log(`${passed ? '✓' : '✗'} ${tool}\n${output}`);
      return passed;
    }),
  );
  return generated.passed && results.every(Boolean);
}

/** The path of a TypeScript configuration for the sources in a folder, and what they import. */
async function toProject(path: string): Promise<string> {
  const [top, app] = path.split('/');
  // A web app is small, and has a configuration of its own.
  if (top === 'web' && app !== undefined) return join(top, app);
  const cache = 'node_modules/.cache';
  await mkdir(join(root, cache), { recursive: true });
  const file = join(cache, `tsconfig.${path.replaceAll('/', '-')}.json`);
  // `vitest.config.ts` declares what tests can inject.
  const include = [path, '*.ts'].map((pattern) => join('../..', pattern));
  const config = { extends: '../../tsconfig.json', include, exclude: ['../../**/node_modules'] };
  await writeFile(join(root, file), JSON.stringify(config));
  return file;
}
