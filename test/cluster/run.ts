// `npm run test:cluster -- CONTEXT` tests the platform on the cluster of a kubectl context.
import { listenForStop } from '@survey/local/process/listen-for-stop';
import { runTool } from '../support/run-step.ts';
import { pinContext } from './context.ts';

const USAGE = `usage: npm run test:cluster -- CONTEXT

Installs the platform in the namespace "survey" of a cluster, tests it, and removes it with its data.
CONTEXT is a name from "kubectl config get-contexts". There is no default.
`;

const [name, ...more] = process.argv.slice(2);
if (name === undefined || name.startsWith('-') || more.length > 0) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  process.exitCode = await test(name);
}

async function test(context: string): Promise<number> {
  try {
    const signal = listenForStop();
    const { variables, remove } = await pinContext(context);
    try {
      const args = ['run', '--config', 'test/cluster/vitest.config.ts'];
      const { passed } = await runTool('vitest', args, { show: true, env: variables, signal });
      return passed ? 0 : 1;
    } finally {
      await remove();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}
