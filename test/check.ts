// Checks the sources: what `npm test` runs first.
import { runChecks } from './support/run-checks.ts';

const { failed } = await runChecks();
process.exitCode = failed === 0 ? 0 : 1;
