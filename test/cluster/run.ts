// `npm run test:cluster -- CONTEXT` tests the platform on the cluster of a kubectl context.
import { listenForStop } from '@survey/local/process/listen-for-stop';
import { runTool } from '../support/run-step.ts';
import { pinContext } from './context.ts';

const USAGE = `usage: npm run test:cluster -- CONTEXT

Builds and loads the images, installs the platform in the new namespace "survey" of a cluster, tests it, and removes it
with its data. CONTEXT is a name from "kubectl config get-contexts". There is no default. Use a cluster only for tests.

  SURVEY_CLUSTER_LOAD     command that loads an archive of "docker save" into the nodes, such as "minikube image load".
                          It gets the path of the archive as last argument
  SURVEY_CLUSTER_BUILD    options of "npm run cluster -- images"
  SURVEY_CLUSTER_IMAGES   "present" uses images that the nodes already have, and builds none

You need docker with buildx, kubectl, helm, openssl, and Chromium for the tests with a browser. This machine must reach
the Services of the cluster, and pods must reach this machine. Without a StorageClass, it must be the only node. Nodes
must have, or be able to pull, the images in deploy/trial; that of MongoDB needs sh, find and tar.

After a killed run, remove its namespace: kubectl config use-context CONTEXT && npm run cluster -- down
This deletes only installations of these tests and of "npm run cluster -- up".
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
