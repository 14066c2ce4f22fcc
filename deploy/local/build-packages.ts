// Builds, checks and measures the packages for npm. `npm run release -- packages` publishes them.
import { join, relative } from 'node:path';
import { buildPackages } from './packages/build-packages.ts';
import { runCommandLine } from './process/command-line.ts';
import { repositoryRoot } from './stack/folder.ts';

const OUTPUT = join(repositoryRoot, '.cache/packages');
const USAGE = `usage: npm run build:packages

  Builds the packages for npm into ${relative(repositoryRoot, OUTPUT)}, checks them, and prints their sizes.
`;

await runCommandLine({
  usage: USAGE,
  options: {},
  run: async () => {
    await buildPackages(OUTPUT);
  },
});
