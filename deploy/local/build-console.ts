// Builds the console and the page for respondents, which the gateway serves.
import { relative } from 'node:path';
import { runCommandLine } from './process/command-line.ts';
import { repositoryRoot } from './stack/folder.ts';
import { buildWebApps, webApps } from './web-apps/build-web-apps.ts';

const USAGE = `usage: npm run build:console

  Builds the console and the page for respondents into ${webApps.map(({ output }) => relative(repositoryRoot, output)).join(' and ')}.
  Does nothing if their sources are unchanged.
`;

await runCommandLine({ usage: USAGE, options: {}, run: () => buildWebApps((line) => console.log(line)) });
