import { describe, expect, it } from 'vitest';
import { addLogic } from './add-logic.ts';
import { createBudget } from './budget.ts';
import { all, condition } from './logic/formula.ts';
import { createOrigins } from './origins.ts';
import { createOutline } from './outline.ts';

describe('addLogic', () => {
  it('keeps conditions with too many values, with the reason', () => {
    const warnings: string[] = [];
    const outline = createOutline(createOrigins(), (name) => name, { budget: createBudget(), warnOnce: () => {} });
    outline.beginPage('');
    for (const id of ['a', 'b', 'c']) {
      outline.addQuestion({ id, type: 'text', title: id }, `/${id}`);
      outline.addRule({ action: 'show', questions: [id], expression: 'x', member: 'when', path: `/${id}` });
    }
    outline.endPage({ title: '', description: '', kept: {} });
    const values = Array.from({ length: 600_000 }, () => 'x');
    const payload = addLogic({ title: 'T' }, outline.end(), {
      convert: () => all(condition('nope', 'in', values)),
      warn: ({ path, detail }) => warnings.push(`${path} ${detail}`),
    });
    expect(warnings).toContainEqual(expect.stringMatching(/^\/c\/when .* 1000000 values/));
    expect(payload).toMatchObject({ survey: { pages: [{ questions: [{}, {}, { source_data: { when: 'x' } }] }] } });
  });
});
