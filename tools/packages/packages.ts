// Builds, checks and measures the packages for npm. `npm run release -- packages` publishes them.
import { join, relative } from 'node:path';
import { runCommandLine } from '@survey/local/process/command-line';
import { repositoryRoot } from '@survey/local/stack/folder';
import { buildPackages } from './build-packages.ts';

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
