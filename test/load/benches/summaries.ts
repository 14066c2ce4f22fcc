import type { Bench } from '../bench-report.ts';
import { measureBareReading } from './bare-driver.ts';
import { withFilledSurvey } from './filled-survey.ts';
import { measureRestarts, measureSummary } from './reading-summary.ts';

/** Measures the summary of a survey with a million encrypted responses: first, again, and after restarts. */
export const bench: Bench = () =>
  withFilledSurvey(async ({ stack, filled }) => [
    ...(await measureSummary(stack, filled, await measureBareReading(stack))),
    ...(await measureRestarts(stack, filled)),
  ]);
