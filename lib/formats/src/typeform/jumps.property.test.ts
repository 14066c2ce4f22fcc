import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareWithWalks } from './testing/agreement.ts';
import { createRandom, randomForm } from './testing/random-forms.ts';

const RESPONDENTS = 20;

describe('jumps of Typeform', () => {
  it('show the questions that a respondent reaches, and hide all others, for any form and answers', async () => {
    const total = { compared: 0, hidden: 0, unanswered: 0, unproven: 0, forms: 0 };
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const random = createRandom(seed);
        const { compared, hidden, unanswered, unproven, disagreements } = await compareWithWalks(
          randomForm(random),
          random,
          RESPONDENTS,
        );
        total.compared += compared;
        total.hidden += hidden;
        total.unanswered += unanswered;
        total.unproven += unproven.length;
        total.forms += 1;
        expect(disagreements).toEqual([]);
      }),
      { numRuns: 100 },
    );
    // Otherwise, the test would prove nothing.
    expect(total.hidden).toBeGreaterThan(total.compared / 10);
    expect(total.unanswered).toBeGreaterThan(total.compared / 20);
    expect(total.unproven * RESPONDENTS).toBeLessThan(total.compared / 2);
  });
});
