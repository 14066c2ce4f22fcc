import { describe, expect, it } from 'vitest';
import { createWarnOnce } from '../files/report.ts';
import { createSurveyDraft, type DraftSection } from './draft.ts';
import { all, condition } from './logic/formula.ts';

function createDraft() {
  const warnings: string[] = [];
  const warnOnce = createWarnOnce(({ path, code, detail }) => warnings.push(`${path} ${code} ${detail}`));
  return { draft: createSurveyDraft({ source: 'tool', title: 'Import', warnOnce }), warnings };
}

const textQuestion = (name: string) => ({
  name,
  at: `/${name}`,
  title: `${name}?`,
  members: { type: 'textarea' },
  needed: { source_id: name },
});
const end = { title: '', languages: ['en'], kept: {} };

describe('the draft of a survey', () => {
  it('has pages with questions and texts, each with its source data', () => {
    const { draft } = createDraft();
    draft.page({ at: '/empty' });
    draft.page({ name: 'one', title: 'One', sourceData: { source_id: 'one' }, at: '/one' });
    draft.text('First');
    draft.text('Second');
    draft.question({ ...textQuestion('a'), required: 'in_tool', kept: { colour: 'red' } });
    const { payload, toFileProblem } = draft.finish({ ...end, id: '7', kept: { theme: 'dark' } });
    expect(payload).toMatchObject({
      survey: {
        title: 'Import',
        pages: [
          {
            id: 'one',
            title: 'One',
            description: 'First\n\nSecond',
            questions: [{ id: 'a', source_data: { source_id: 'a', colour: 'red', required: true } }],
            source_data: { source_id: 'one' },
          },
        ],
        source_data: { source: 'tool', source_id: '7', theme: 'dark' },
      },
    });
    const at = (path: string) => toFileProblem({ path, code: 'C', detail: 'd' }).path;
    expect(['/survey/pages/0/questions/0/title', '/survey/pages/0/title', '/survey/title'].map(at)).toEqual([
      '/a',
      '/one',
      '',
    ]);
  });

  it('gives a question the name that a section also has, and reports changed ids', () => {
    const { draft, warnings } = createDraft();
    draft.section({ name: 'a', title: '', questions: ['a'] });
    draft.question(textQuestion('a'));
    draft.question({ ...textQuestion('a'), nameAt: '/a/name' });
    const { payload } = draft.finish(end);
    expect(payload).toMatchObject({
      survey: { pages: [{ questions: [{ id: 'a' }, { id: 'a_2' }] }], sections: [{ id: 'a_3', title: 'a' }] },
    });
    expect(warnings).toEqual(['/a/name ID_CHANGED The id a is invalid or duplicate; the new id is a_2']);
  });

  it('keeps conditions with too many values, with the reason', () => {
    const { draft, warnings } = createDraft();
    const values = Array.from({ length: 600_000 }, () => 'x');
    for (const name of ['a', 'b', 'c']) {
      draft.question({ ...textQuestion(name), required: true });
      const when = () => all(condition('nope', 'in', values));
      draft.rule({ action: 'show', questions: [name], when, at: `/${name}/when`, source: 'x', member: 'when' });
    }
    const { payload } = draft.finish(end);
    expect(warnings).toContainEqual(expect.stringMatching(/^\/c\/when .* 1000000 values/));
    expect(payload).toMatchObject({
      survey: { pages: [{ questions: [{}, {}, { source_data: { when: 'x', required: true } }] }] },
    });
  });

  it('keeps the condition of a section with the section', () => {
    const { draft } = createDraft();
    const section: DraftSection = { name: 's', title: 'S', questions: ['a'] };
    draft.question(textQuestion('a'));
    draft.section(section);
    const when = () => condition('nope', 'is_answered');
    draft.rule({ action: 'show', questions: ['a'], section, when, at: '/s', source: 'nope', member: 'shown' });
    expect(draft.finish(end).payload).toMatchObject({ survey: { sections: [{ source_data: { shown: 'nope' } }] } });
  });
});
