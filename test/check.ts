// Runs the checks of the sources, which `npm test` runs first.
import { runChecks } from './support/run-checks.ts';

const { failed } = await runChecks();
process.exitCode = failed === 0 ? 0 : 1;
