import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { expect, it } from 'vitest';
import { createHeaderIndex } from '../columns/header-index.ts';
import { findToolColumns } from './assign-columns.ts';
import { readToolHeader } from './header.ts';

/** The targets of the columns of a tool's table. Tables with a second row have parts in it. */
function assign(questions: readonly JsonObject[], rows: readonly string[]) {
  const payload: JsonObject = {
    schema_version: '1.0',
    version: 1,
    survey: { title: 'T', supported_languages: ['en'], pages: [{ questions: [...questions] }] },
  };
  const { columns } = readToolHeader(
    rows.map((row, index) => ({ number: index + 1, cells: row.split(',') })),
    rows.length > 1 ? (heading) => (heading === 'End Date' ? 'submitted_at' : undefined) : undefined,
  );
  const { targets, otherColumns } = findToolColumns(columns, {
    index: createHeaderIndex(payload, compile(payload)),
    questions: new Map(questions.map((question) => [String(question['id']), question])),
    responseTargets: new Map(),
    appendsNumberToTitle: true,
  });
  return { targets: columns.map(({ position }) => targets.get(position)), otherColumns };
}

const choice = (options: readonly JsonObject[]) => ({
  id: 'q',
  type: 'multiple_choice',
  title: 'Which?',
  options: [...options],
  allow_other: true,
});
const RED = { id: 'r', text: 'Red' };
const BLUE = { id: 'b', text: 'Blue' };
const text = (id: string, title: string) => ({ id, type: 'text', title });

it('an inactive option does not complete the options of a question', () => {
  const questions = [choice([RED, BLUE, { id: 'o', text: 'Old', inactive: true }]), text('t', 'Old')];
  expect(assign(questions, ['Red,Old']).targets).toEqual([undefined, 't']);
  expect(assign(questions, ['Red,Old,Blue,Old']).targets).toEqual(['q[r]', 'q[o]', 'q[b]', 't']);
});

it('empty columns at the end are of no question', () => {
  const rows = ['End Date,Which?,,', ',Red,Blue,Jiné (uveďte)'];
  const targets = [undefined, 'q[r]', 'q[b]', 'q.other'];
  expect(assign([choice([RED, BLUE])], rows).targets).toEqual(targets);
  const padded = rows.map((row) => `${row},,`);
  expect(assign([choice([RED, BLUE])], padded).targets).toEqual([...targets, undefined, undefined]);
});

it('the tool can add its number to a title that ends with a digit', () => {
  const questions = [text('a', 'Level 1'), text('b', 'Level 1'), text('c', 'Level'), text('d', 'Level')];
  expect(assign(questions, ['Level 1,Level 12,Level,Level2']).targets).toEqual(['a', 'b', 'c', 'd']);
});

it('a third column for the same other text leaves the first two', () => {
  const rows = ['Which? - Other,Which? [Other],Which?: Other'];
  expect(assign([choice([RED])], rows)).toEqual({
    targets: ['', 'q.other', undefined],
    otherColumns: [{ chosen: 0, text: 1 }],
  });
});
