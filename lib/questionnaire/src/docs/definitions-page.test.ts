import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ANSWER_CODES } from '../answers/answer-codes.ts';
import { compile } from '../compile.ts';
import { definitionJsonSchema } from '../definition-json-schema.ts';
import { ACTIONS } from '../logic/normalise-logic.ts';
import { OPERATORS } from '../logic/operators.ts';
import { freeMembers } from '../schema/texts.ts';
import { surveyOf } from '../testing/survey-of.ts';
import { fillTables } from './definitions-page.ts';

/** `test/e2e/definitions-page.e2e.test.ts` runs the examples of the page. */
const page = await readFile(new URL('../../../../docs/definitions.md', import.meta.url), 'utf8');

/** The text of a page below a heading, up to the next heading of its level or above. */
function sectionOf(heading: string, markdown: string): string {
  const level = /^#+/.exec(heading)?.[0].length ?? 1;
  const [, ...lines] = markdown.slice(markdown.indexOf(`\n${heading}\n`) + 1).split('\n');
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

describe('docs/definitions.md', () => {
  it('gets the tables of members, answer codes and limits', () => {
    const filled = fillTables(page);
    expect(filled).not.toMatch(/^\{\{/m);
    const names = new Set(namesIn(filled));
    const schemas = definitionJsonSchema()['$defs'] as Record<string, { readonly properties?: object }>;
    const members = Object.values(schemas).flatMap(({ properties = {} }) => Object.keys(properties));
    expect(members.length).toBeGreaterThan(30);
    expect(members.filter((name) => !names.has(name) && !Object.hasOwn(freeMembers, name))).toEqual([]);
    expect(filled).toContain(`| \`REQUIRED\` | ${ANSWER_CODES.REQUIRED} |\n`);
    expect(filled).toContain('\n| questions | 1,000 |\n');
  });

  it('cannot lack a table', () => {
    const without = page.replace('{{SurveyPage}}', '');
    expect(() => fillTables(without)).toThrow('docs/definitions.md lacks: SurveyPage');
  });

  it('cannot have an unknown table', () => {
    const renamed = page.replace('{{SurveyPage}}', '{{Nothing}}');
    expect(() => fillTables(renamed)).toThrow('unknown table: Nothing');
  });

  it('lists every action', () => {
    expect(new Set(namesIn(sectionOf('### Actions', page)))).toEqual(new Set(ACTIONS));
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
    const [, , ...rows] = rowsOf(sectionOf('### Operators', fillTables(page)));
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
});
