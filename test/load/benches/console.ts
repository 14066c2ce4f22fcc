import type { Browser } from 'playwright-core';
import { openPage, startBrowser } from '../../support/browser.ts';
import type { Bench } from '../bench-report.ts';
import { latencyFigures } from '../latencies.ts';
import { type FilledSurvey, withFilledSurvey } from './filled-survey.ts';

const REPEATS = 10;
const FIRST_CHART_TARGET_MS = 1_000;

/** Measures the results page of a survey with a million responses: from the navigation to its first chart. */
export const bench: Bench = () =>
  withFilledSurvey(async ({ stack, filled }) => {
    const browser = await startBrowser();
    const { gateway } = stack.info();
    try {
      // The summary, and the caches of the browser and the gateway, are cold.
      const cold = await timeFirstChart(browser, gateway, filled);
      const warm: number[] = [];
      for (let count = 0; count < REPEATS; count += 1) warm.push(await timeFirstChart(browser, gateway, filled));
      return [
        { name: 'first chart, cold', value: cold, unit: 'ms' },
        ...latencyFigures('first chart', warm, FIRST_CHART_TARGET_MS),
      ];
    } finally {
      await browser.close();
    }
  });

/**
 * Opens the results with an empty cache of the browser. Returns the milliseconds until a chart is in the document, by the
 * clock of the page: locators would look only every 500 ms.
 */
async function timeFirstChart(browser: Browser, gateway: string, { tenant, surveyId }: FilledSurvey): Promise<number> {
  const { page } = await openPage(browser, gateway, `/console/surveys/${surveyId}/results#token=${tenant.token}`);
  const elapsed = await page.evaluate<number>(`new Promise((resolve) => {
    const look = () =>
      document.querySelector('figure svg') ? resolve(performance.now()) : requestAnimationFrame(look);
    look();
  })`);
  await page.close();
  return elapsed;
}
