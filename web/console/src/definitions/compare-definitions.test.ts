import { describe, expect, it } from 'vitest';
import { compareDefinitions, listChanges } from './compare-definitions.ts';

const question = (id: string, more: object = {}) => ({ id, type: 'text', title: id, ...more });
const survey = (pages: readonly (readonly object[])[], more: object = {}) => ({
  title: 'T',
  pages: pages.map((questions) => ({ questions })),
  ...more,
});

describe('compareDefinitions', () => {
  it('finds nothing between equal definitions', () => {
    const definition = survey([[question('a'), question('b')]]);
    expect(compareDefinitions(definition, structuredClone(definition))).toEqual({ questions: [], others: [] });
  });

  it('reports added, removed, changed and moved questions', () => {
    const before = survey([[question('gone'), question('a'), question('b'), question('c')]]);
    const after = survey([[question('c'), question('a', { title: 'New' }), question('b'), question('new')]]);
    const { questions } = compareDefinitions(before, after);
    expect(questions.map(({ id, kind, isMoved }) => [id, kind, isMoved])).toEqual([
      ['c', 'moved', true],
      ['a', 'changed', false],
      ['new', 'added', false],
      ['gone', 'removed', false],
    ]);
    expect(questions[1]?.changes).toEqual([{ path: ['title'], before: 'a', after: 'New' }]);
  });

  it('reports a question that moved to another page at the same position', () => {
    const { questions } = compareDefinitions(
      survey([[question('a'), question('b')], [question('c')]]),
      survey([[question('a')], [question('b'), question('c')]]),
    );
    expect(questions.map(({ id, kind }) => [id, kind])).toEqual([['b', 'moved']]);
  });

  it('lists changes outside of questions', () => {
    const before = survey([[question('a')]], { logic: [{ question_id: 'a', action: 'show' }, { question_id: 'b' }] });
    const after = survey([[question('a')], []], {
      title: { en: 'T' },
      logic: [{ question_id: 'new' }, { question_id: 'a', action: 'hide' }, { question_id: 'b' }],
    });
    expect(compareDefinitions(before, after).others).toEqual([
      { path: ['title'], before: 'T', after: { en: 'T' } },
      { path: ['pages', '2'], before: undefined, after: { questions: undefined } },
      { path: ['logic', '1', 'question_id'], before: 'a', after: 'new' },
      { path: ['logic', '1', 'action'], before: 'show', after: undefined },
      { path: ['logic', '2'], before: undefined, after: { question_id: 'a', action: 'hide' } },
    ]);
  });
});

describe('listChanges', () => {
  it('matches items by their ids and reports a new order', () => {
    expect(
      listChanges(
        {
          options: [
            { id: 'x', text: 'X' },
            { id: 'y', text: 'Y' },
            { id: 'z', text: 'Z' },
          ],
        },
        {
          options: [
            { id: 'y', text: 'Y!' },
            { id: 'x', text: 'X' },
          ],
        },
      ),
    ).toEqual([
      { path: ['options', 'y', 'text'], before: 'Y', after: 'Y!' },
      { path: ['options', 'z'], before: { id: 'z', text: 'Z' }, after: undefined },
      { path: ['options', 'order'], before: ['x', 'y'], after: ['y', 'x'] },
    ]);
  });

  it('keeps the positions of equal items', () => {
    expect(listChanges(['a', 'b', 'c'], ['b', 'c', 'd'])).toEqual([
      { path: ['1'], before: 'a', after: undefined },
      { path: ['3'], before: undefined, after: 'd' },
    ]);
  });

  it('gives removed items their earlier positions', () => {
    expect(listChanges(['a', 'b', 'k', 'x', 'z'], ['k', 'y'])).toEqual([
      { path: ['1'], before: 'a', after: undefined },
      { path: ['2'], before: 'b', after: undefined },
      { path: ['2'], before: 'x', after: 'y' },
      { path: ['5'], before: 'z', after: undefined },
    ]);
  });

  it('does not confuse inherited names with members', () => {
    expect(listChanges({}, JSON.parse('{"constructor": 1}'))).toEqual([
      { path: ['constructor'], before: undefined, after: 1 },
    ]);
  });
});
