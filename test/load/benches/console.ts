import type { Browser } from 'playwright-core';
import { openPage, startBrowser } from '../../support/browser.ts';
import type { Bench } from '../bench-report.ts';
import { latencyFigures, repeat } from '../latencies.ts';
import { type FilledSurvey, withFilledSurvey } from './filled-survey.ts';

const REPEATS = 10;
const FIRST_CHART_TARGET_MS = 1_000;

/** Measures the results page of a survey with a million responses: from opening the page to its first chart. */
export const bench: Bench = () =>
  withFilledSurvey(async ({ stack, filled }) => {
    const browser = await startBrowser();
    const { gateway } = stack.info();
    try {
      // The summary, and the caches of the browser and the gateway, are cold.
      const [cold = Number.NaN] = await repeat(1, () => openResults(browser, gateway, filled));
      const warm = await repeat(REPEATS, () => openResults(browser, gateway, filled));
      return [
        { name: 'first chart, cold', value: cold, unit: 'ms' },
        ...latencyFigures('first chart', warm, FIRST_CHART_TARGET_MS),
      ];
    } finally {
      await browser.close();
    }
  });

async function openResults(browser: Browser, gateway: string, { tenant, surveyId }: FilledSurvey): Promise<void> {
  const { page } = await openPage(browser, gateway, `/console/surveys/${surveyId}/results#token=${tenant.token}`);
  await page.locator('figure svg').first().waitFor();
  await page.close();
}
