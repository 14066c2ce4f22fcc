import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import testVectors from '@survey/questionnaire/test-vectors.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { BROWSER_TIMEOUT_MS, bundleForBrowsers, hasBrowser, startBrowser } from '../support/browser.ts';

const MAX_BYTES = 30_000;

const code = await bundleForBrowsers(fileURLToPath(import.meta.resolve('@survey/questionnaire')));

describe('@survey/questionnaire for browsers', () => {
  it('needs no other package, and is small', async () => {
    expect(code).not.toMatch(/\bfrom ?["']/);
    expect((await promisify(gzip)(code)).length).toBeLessThan(MAX_BYTES);
  });

  it.skipIf(!hasBrowser)('has the results of the server in Chromium', { timeout: BROWSER_TIMEOUT_MS }, async () => {
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      const results = await page.evaluate(
        `(async (code, vectors) => {
          const library = await import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
          return vectors.map(({ definition, answers, options }) => ({
            visible: library.visibleQuestions(definition, answers),
            required: library.requiredQuestions(definition, answers),
            disqualified: library.isDisqualified(definition, answers),
            validation: library.validateAnswers(definition, answers, options),
          }));
        })(${JSON.stringify(code)}, ${JSON.stringify(testVectors.vectors)})`,
      );
      expect(results).toEqual(
        testVectors.vectors.map(({ visible, required, disqualified, validation }) => ({
          visible,
          required,
          disqualified,
          validation,
        })),
      );
    } finally {
      await browser.close();
    }
  });
});
