import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSurveyFile } from '../testing/read-files.ts';
import { readQualtricsSurvey } from './survey.ts';

/** A question. All questions have the choices 1, 2 and 3. */
interface Plan {
  /** Display logic: shown if this choice of an earlier question is chosen. */
  readonly display: { readonly question: number; readonly choice: number } | undefined;
  /** Skip logic: target of a choice. */
  readonly skips: readonly { readonly choice: number; readonly to: number | 'ENDOFBLOCK' | 'ENDOFSURVEY' }[];
  readonly answer: number | undefined;
}

const BLOCK = 4;
const choice = fc.integer({ min: 1, max: 3 });
const plan: fc.Arbitrary<Plan> = fc.record({
  display: fc.option(fc.record({ question: fc.nat(11), choice }), { nil: undefined, freq: 3 }),
  skips: fc.array(
    fc.record({ choice, to: fc.oneof(fc.nat(11), fc.constantFrom('ENDOFBLOCK' as const, 'ENDOFSURVEY' as const)) }),
    { maxLength: 2 },
  ),
  answer: fc.option(choice, { nil: undefined, freq: 5 }),
});

const qid = (index: number) => `QID${index + 1}`;
const locator = (index: number, chosen: number) => `q://${qid(index)}/SelectableChoice/${chosen}`;

/** Display logic uses earlier questions, and skips lead forward. */
function soundly(plans: readonly Plan[]): readonly Plan[] {
  return plans.map((one, index) => ({
    ...one,
    display: one.display !== undefined && one.display.question < index ? one.display : undefined,
    skips: one.skips.filter(({ to }) => typeof to !== 'number' || (to > index && to < plans.length)),
  }));
}

function toQsf(plans: readonly Plan[]): string {
  const questions = plans.map(({ display }, index) => ({
    QuestionText: `Question ${index}`,
    QuestionType: 'MC',
    Selector: 'SAVR',
    QuestionID: qid(index),
    Choices: { 1: { Display: 'a' }, 2: { Display: 'b' }, 3: { Display: 'c' } },
    ...(display === undefined
      ? {}
      : {
          DisplayLogic: {
            0: {
              0: {
                LogicType: 'Question',
                ChoiceLocator: locator(display.question, display.choice),
                Operator: 'Selected',
              },
            },
          },
        }),
  }));
  const elements = plans.map(({ skips }, index) => ({
    Type: 'Question',
    QuestionID: qid(index),
    SkipLogic: skips.map((skip) => ({
      ChoiceLocator: locator(index, skip.choice),
      Condition: 'Selected',
      SkipToDestination: typeof skip.to === 'number' ? qid(skip.to) : skip.to,
    })),
  }));
  const blocks = Array.from({ length: Math.ceil(plans.length / BLOCK) }, (_, index) => ({
    ID: `BL_${index}`,
    BlockElements: elements.slice(index * BLOCK, (index + 1) * BLOCK),
  }));
  return JSON.stringify({
    SurveyEntry: { SurveyName: 'Skips', SurveyLanguage: 'EN' },
    SurveyElements: [{ Element: 'BL', Payload: blocks }, ...questions.map((Payload) => ({ Element: 'SQ', Payload }))],
  });
}

/** Walks through the survey like a respondent, and returns the answers by question. */
function walk(plans: readonly Plan[]): Readonly<Record<string, string>> {
  const given: Record<string, string> = {};
  for (let index = 0; index < plans.length; ) {
    const { display, skips, answer } = plans[index] as Plan;
    const isShown = display === undefined || given[qid(display.question)] === String(display.choice);
    if (isShown && answer !== undefined) given[qid(index)] = String(answer);
    const taken = isShown ? skips.find((skip) => skip.choice === answer) : undefined;
    if (taken?.to === 'ENDOFSURVEY') break;
    if (taken?.to === 'ENDOFBLOCK') index = (Math.floor(index / BLOCK) + 1) * BLOCK;
    else index = typeof taken?.to === 'number' ? taken.to : index + 1;
  }
  return given;
}

describe('skips and display logic of Qualtrics', () => {
  it('show the questions that a respondent reaches, for any answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 12 }), async (plans) => {
        const sound = soundly(plans);
        const { definition, problems, codes } = await readSurveyFile(readQualtricsSurvey, toQsf(sound));
        expect([problems, codes]).toEqual([[], []]);
        const answers = Object.fromEntries(
          sound.flatMap(({ answer }, index) => (answer === undefined ? [] : [[qid(index), String(answer)]])),
        );
        expect(definition.validate(answers).data).toEqual(walk(sound));
      }),
      { numRuns: 300 },
    );
  });
});
