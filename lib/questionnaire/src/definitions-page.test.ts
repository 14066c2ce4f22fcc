import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ANSWER_CODES } from './answers/answer-codes.ts';
import { checkShape } from './check-shape.ts';
import { compile } from './compile.ts';
import { isObject, type JsonObject } from './json.ts';
import { LIMITS } from './limits.ts';
import { LINT_CODES } from './lint/lint-codes.ts';
import { ACTIONS } from './logic/normalise-logic.ts';
import { OPERATORS } from './logic/operators.ts';
import { payload } from './schema/definition-schema.ts';
import { toJsonSchema } from './schema/json-schema.ts';
import { question } from './schema/question-schema.ts';
import { freeMembers } from './schema/texts.ts';
import { exampleWith } from './testing/lint-example.ts';
import { surveyOf } from './testing/survey-of.ts';

/** `test/e2e/definitions-page.e2e.test.ts` runs the examples of the page. */
const page = await readFile(new URL('../../../docs/definitions.md', import.meta.url), 'utf8');

/** The text below a heading, up to the next heading of its level or above. */
function sectionOf(heading: string): string {
  const level = /^#+/.exec(heading)?.[0].length ?? 1;
  const [, ...lines] = page.slice(page.indexOf(`\n${heading}\n`) + 1).split('\n');
  const end = lines.findIndex((line) => (/^(#+) /.exec(line)?.[1]?.length ?? Number.POSITIVE_INFINITY) <= level);
  return lines.slice(0, end === -1 ? lines.length : end).join('\n');
}

/** The rows of the tables in a text, as cells. */
function rowsOf(text: string) {
  return [...text.matchAll(/^\| ?(.*) ?\|$/gm)].map(([, row = '']) => row.split('|').map((cell) => cell.trim()));
}

/** The names in backticks in the first cells of the tables in a text. */
function namesIn(text: string) {
  return rowsOf(text).flatMap(([first = '']) => [...first.matchAll(/`([$\w]+)`/g)].map(([, name]) => name));
}

const { named } = toJsonSchema(payload, 'json-schema');
const HEADINGS = {
  SurveyPayload: '## Payload',
  SurveyDefinition: '## Survey',
  SurveyPage: '## Pages',
  QuestionOption: '### Options',
  SurveySection: '## Sections',
  SurveySettings: '## Settings',
};

/** The members of an object, without those that every part has. */
function membersOf(title: string): readonly string[] {
  const properties = named[title]?.properties;
  return isObject(properties) ? Object.keys(properties).filter((name) => !Object.hasOwn(freeMembers, name)) : [];
}

/** The default value of a member. */
function defaultOf(member: JsonObject): unknown {
  const [first] = Array.isArray(member.anyOf) ? member.anyOf : [member];
  return isObject(first) ? first.default : undefined;
}

describe('docs/definitions.md', () => {
  it.each(Object.entries(HEADINGS))('lists every member of %s', (title, heading) => {
    const listed = namesIn(sectionOf(heading));
    const known = title === 'SurveySection' ? [...listed, 'questions'] : listed;
    expect(new Set(known)).toEqual(new Set(membersOf(title)));
  });

  it('lists every member of questions, logic entries and conditions', () => {
    const common = Object.keys(question.fallback.members).filter((name) => !Object.hasOwn(freeMembers, name));
    expect(namesIn(sectionOf('## Questions'))).toEqual(expect.arrayContaining(common));
    for (const [type, { title }] of Object.entries(question.variants)) {
      const own = membersOf(title).filter((name) => !common.includes(name));
      expect(namesIn(sectionOf(`### ${type}`)), type).toEqual(expect.arrayContaining(own));
    }
    const logic = sectionOf('## Logic');
    for (const name of [...membersOf('LogicEntry'), ...membersOf('LogicCondition')])
      expect(logic, name).toContain(`\`${name}\``);
  });

  it('tells required members and defaults', () => {
    const sections = [
      ...Object.entries(HEADINGS),
      ...Object.entries(question.variants).map(([type, { title }]) => [title, `### ${type}`] as const),
      ['TextQuestion', '## Questions'],
      ['LogicEntry', '## Logic'],
    ] as const;
    for (const [title, heading] of sections) {
      const { properties = {}, required = [] } = named[title] ?? {};
      const rows = rowsOf(sectionOf(heading).split('\n### ', 1)[0] ?? '');
      for (const [name, member] of Object.entries(isObject(properties) ? properties : {})) {
        const found = rows.filter(([first = '']) => namesIn(`| ${first} |`).includes(name));
        if (found.length === 0 || !isObject(member)) continue;
        const text = found.flat().join(' ').replaceAll(',', '');
        if (Array.isArray(required) && required.includes(name)) expect(text, `${title} ${name}`).toContain('Required');
        const value = defaultOf(member);
        if (value === undefined) continue;
        expect(text, `${title} ${name}`).toMatch(/default/i);
        expect(text, `${title} ${name}`).toContain(String(value));
      }
    }
  });

  it('lists every action and every code of invalid answers', () => {
    expect(new Set(namesIn(sectionOf('### Actions')))).toEqual(new Set(ACTIONS));
    expect(new Set(namesIn(sectionOf('## Answers')))).toEqual(new Set(Object.keys(ANSWER_CODES)));
  });

  it('lists every code that blocks storing', () => {
    const codes = Object.entries(LINT_CODES).filter(([, { example }]) => checkShape(exampleWith(example)).length > 0);
    const listed = new Set(namesIn(sectionOf('## Check and publish')));
    // WRONG_TYPE blocks storing or only publishing, depending on the member.
    expect(listed).toEqual(new Set([...codes.map(([code]) => code), 'WRONG_TYPE']));
  });

  it('lists the operators of each type', () => {
    const examples = [
      [{ type: 'single_choice', options: ['1'] }, '1'],
      [{ type: 'multiple_choice', options: ['1'] }, '1'],
      [{ type: 'text' }, '1'],
      [{ type: 'textarea' }, '1'],
      [{ type: 'rating' }, 1],
      [{ type: 'date' }, '2026-01-01'],
      [{ type: 'matrix', rows: ['1'], columns: ['1'] }, '1'],
    ] as const;
    const [, , ...rows] = rowsOf(sectionOf('### Operators'));
    const claimed = new Map(
      rows.flatMap(([names = '', ...cells]) => namesIn(`| ${names} |`).map((name) => [name, cells])),
    );
    expect(new Set(claimed.keys())).toEqual(new Set(Object.keys(OPERATORS)));
    for (const [operator, cells] of claimed) {
      for (const [index, [question, value]] of examples.entries()) {
        const logic = [{ question_id: 'b', conditions: [{ source_question: 'a', operator, value }] }];
        const questions = [
          { id: 'a', ...question },
          { id: 'b', type: 'text' },
        ];
        const codes = compile(surveyOf(questions, { logic })).lint.errors.map(({ code }) => code);
        expect(codes, `${operator} ${question.type}`).toEqual(cells[index] === 'yes' ? [] : ['BAD_OPERATOR']);
      }
    }
  });

  it('has the limits', () => {
    const limits = new Map(rowsOf(sectionOf('## Limits')).map(([name = '', limit = '']) => [name, limit]));
    const numberOf = (name: string) => Number(limits.get(name)?.replaceAll(',', ''));
    expect(limits.get('definition, as compact JSON')).toBe('1 MiB');
    expect(LIMITS.definitionBytes).toBe(2 ** 20);
    expect([
      numberOf('questions'),
      numberOf('options, rows or columns of a question'),
      numberOf('CSV columns of all questions'),
      numberOf('conditions'),
      numberOf('questions affected by all logic entries together'),
      numberOf('languages'),
      numberOf('objects and arrays inside each other'),
    ]).toEqual([
      LIMITS.questions,
      LIMITS.options,
      LIMITS.cells,
      LIMITS.conditions,
      LIMITS.affectedQuestions,
      LIMITS.languages,
      LIMITS.nesting,
    ]);
  });
});
