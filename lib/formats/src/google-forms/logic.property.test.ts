import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSurveyFile } from '../testing/read-files.ts';
import { readGoogleFormsSurvey } from './survey.ts';

/** Target of an option: the next section, the end, or a section by number (when drawn: by distance). */
type Leads = 'next' | 'submit' | number;

/** A section of two questions. The first one jumps. */
interface Section {
  readonly leads: readonly Leads[];
}

const OPTIONS = ['a', 'b', 'c'];
const leads = fc.oneof(fc.constantFrom<Leads>('next', 'submit'), fc.constantFrom<Leads>(1, 2, 2, 3, -1));
const form = fc.array(fc.record({ leads: fc.array(leads, { maxLength: OPTIONS.length }) }), {
  minLength: 2,
  maxLength: 7,
});
const answers = fc.array(fc.option(fc.constantFrom(...OPTIONS)), { minLength: 7, maxLength: 7 });

/** The questions that a respondent reaches; undefined for an endless loop. */
function walk(sections: readonly Section[], given: readonly (string | null)[]): ReadonlySet<number> | undefined {
  const visited = new Set<number>();
  for (let at = 0; at < sections.length; ) {
    if (visited.has(at)) return undefined;
    visited.add(at);
    const target = sections[at]?.leads[OPTIONS.indexOf(given[at] ?? '')] ?? 'next';
    if (target === 'submit') break;
    at = target === 'next' ? at + 1 : target;
  }
  return visited;
}

/** The first section has no id, and the section after the last one is the end. */
function targetOf(section: number, count: number): Leads {
  if (section >= count) return 'submit';
  return section < 1 ? 'next' : section;
}

function toForm(sections: readonly Section[]): JsonObject {
  const items = sections.flatMap(({ leads: own }, index) => {
    const options = OPTIONS.map((value, option) => {
      const target = own[option];
      if (target === undefined) return { value };
      if (target === 'next') return { value, goToAction: 'NEXT_SECTION' };
      return target === 'submit' ? { value, goToAction: 'SUBMIT_FORM' } : { value, goToSectionId: `s${target}` };
    });
    const question = (id: string, members: JsonObject) => ({
      itemId: `i-${id}`,
      title: id,
      questionItem: { question: { questionId: id, required: true, ...members } },
    });
    return [
      ...(index === 0 ? [] : [{ itemId: `s${index}`, title: 'Section', pageBreakItem: {} }]),
      question(`q${index}`, { choiceQuestion: { type: 'RADIO', options } }),
      question(`t${index}`, { textQuestion: {} }),
    ];
  });
  return { formId: 'F', info: { title: 'F' }, items };
}

describe('sections of Google Forms', () => {
  it('show the questions that a respondent reaches, and hide all others, for any jumps', async () => {
    const total = { shown: 0, hidden: 0 };
    await fc.assert(
      fc.asyncProperty(form, fc.array(answers, { minLength: 10, maxLength: 10 }), async (drawn, respondents) => {
        const sections = drawn.map(({ leads: own }, index) => ({
          leads: own.map((target) => (typeof target === 'number' ? targetOf(index + target, drawn.length) : target)),
        }));
        const { payload, warnings, problems } = await readSurveyFile(
          readGoogleFormsSurvey,
          JSON.stringify(toForm(sections)),
        );
        expect(problems).toEqual([]);
        const unproven = new Set(warnings.filter(({ code }) => code === 'LOGIC_NOT_CONVERTED').map(({ path }) => path));
        const definition = compile(payload);
        for (const given of respondents) {
          const visited = walk(sections, given);
          if (visited === undefined) continue;
          const data = sections.flatMap((_, index) => [
            [`q${index}`, given[index]],
            [`t${index}`, 'x'],
          ]);
          const { data: stored } = definition.validate(Object.fromEntries(data));
          for (const index of sections.keys()) {
            const isUnproven = unproven.has(`/items/${index * 3 + 1}`);
            const isShown = visited.has(index) || isUnproven;
            total[isShown ? 'shown' : 'hidden'] += 1;
            expect([index, Object.hasOwn(stored, `t${index}`)]).toEqual([index, isShown]);
          }
        }
      }),
      { numRuns: 100 },
    );
    expect(total.hidden).toBeGreaterThan(total.shown / 10);
  });
});
