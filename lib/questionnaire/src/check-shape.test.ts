import { describe, expect, it } from 'vitest';
import { checkDefinition } from './check-definition.ts';
import { checkShape } from './check-shape.ts';
import type { JsonObject } from './json.ts';
import { LIMITS } from './limits.ts';
import { OPERATOR_NAMES } from './logic/operators.ts';
import { QUESTION_TYPE_NAMES } from './schema/question-schema.ts';
import { surveyOf, surveyOfPages, textQuestion } from './testing/survey-of.ts';

function problems(definition: unknown) {
  return checkShape(definition).map(({ code, path }) => `${code} ${path}`);
}
function survey(members: JsonObject) {
  return surveyOf([textQuestion('q')], members);
}

/** The path of one part of each kind in `fullSurvey`. */
const everyPart = {
  screen: '/survey/welcome_screen',
  page: '/survey/pages/0',
  question: '/survey/pages/0/questions/0',
  option: '/survey/pages/0/questions/0/options/0',
  section: '/survey/sections/0',
  logic: '/survey/logic/0',
  condition: '/survey/logic/0/conditions/0',
};

function fullSurvey() {
  return surveyOf([{ id: 'q', type: 'single_choice', options: [{ id: 'a' }] }], {
    welcome_screen: { title: 'Hi' },
    sections: [{ id: 's', question_ids: ['q'] }],
    logic: [{ question_id: 'q', conditions: [{ source_question: 'q', operator: 'is_answered' }] }],
  });
}

/** `fullSurvey` with an additional member at a JSON pointer. */
function withMember(path: string, name: string, value: unknown): JsonObject {
  const definition = structuredClone(fullSurvey());
  const owner = path
    .split('/')
    .slice(1)
    .reduce<object>((part, token) => Reflect.get(part, token) as object, definition); // the path is that of an object
  Object.defineProperty(owner, name, { value, configurable: true, enumerable: true, writable: true });
  return definition;
}

describe('checkShape', () => {
  it('accepts a minimal definition', () => {
    expect(problems(survey({}))).toEqual([]);
  });

  it('accepts a draft with lint errors', () => {
    expect(problems(survey({ pages: [] }))).toEqual([]);
    expect(problems(surveyOf([{ type: 'single_choice' }], { logic: [{}], sections: [{}] }))).toEqual([]);
  });

  it('accepts null for optional members', () => {
    expect(problems(survey({ logic: null, sections: null, description: null }))).toEqual([]);
  });

  it('accepts a title with one translation', () => {
    expect(problems(survey({ title: { en: '', de: 'Titel' } }))).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['no object', 'text', 'WRONG_TYPE '],
    ['an array', [], 'WRONG_TYPE '],
    ['a malformed schema_version', { ...survey({}), schema_version: '1' }, 'BAD_SCHEMA_VERSION /schema_version'],
    ['a number as schema_version', { ...survey({}), schema_version: 1.0 }, 'BAD_SCHEMA_VERSION /schema_version'],
    ['a missing schema_version', { ...survey({}), schema_version: null }, 'MISSING_MEMBER /schema_version'],
    [
      'a trailing line break in schema_version',
      { ...survey({}), schema_version: '1.0\n' },
      'BAD_SCHEMA_VERSION /schema_version',
    ],
    ['version 0', { ...survey({}), version: 0 }, 'BAD_VERSION /version'],
    ['a fractional version', { ...survey({}), version: 1.5 }, 'BAD_VERSION /version'],
    ['a text as version', { ...survey({}), version: '1' }, 'BAD_VERSION /version'],
    ['a version beyond 32 bits', { ...survey({}), version: 2 ** 31 }, 'BAD_VERSION /version'],
    ['a missing version', { ...survey({}), version: undefined }, 'MISSING_MEMBER /version'],
    ['a missing survey', { schema_version: '1.0', version: 1 }, 'MISSING_MEMBER /survey'],
    ['a survey that is a list', { schema_version: '1.0', version: 1, survey: [] }, 'WRONG_TYPE /survey'],
    ['a missing title', survey({ title: null }), 'EMPTY_TITLE /survey/title'],
    ['a blank title', survey({ title: ' \n' }), 'EMPTY_TITLE /survey/title'],
    ['translations that are all empty', survey({ title: { en: '' } }), 'EMPTY_TITLE /survey/title'],
    ['no translation at all', survey({ title: {} }), 'EMPTY_TITLE /survey/title'],
    ['a number as title', survey({ title: 7 }), 'WRONG_TYPE /survey/title'],
    ['a number as translation', survey({ title: { en: 7 } }), 'WRONG_TYPE /survey/title'],
    ['missing languages', survey({ supported_languages: null }), 'MISSING_LANGUAGE /survey/supported_languages'],
    ['no language', survey({ supported_languages: [] }), 'MISSING_LANGUAGE /survey/supported_languages'],
    ['languages as a text', survey({ supported_languages: 'en' }), 'WRONG_TYPE /survey/supported_languages'],
    [
      'a malformed language',
      survey({ supported_languages: ['en', 'e!'] }),
      'BAD_LANGUAGE /survey/supported_languages/1',
    ],
    [
      'a language tag of more than 100 characters',
      survey({ supported_languages: ['en', `de-${'abcdefgh-'.repeat(12)}x`] }),
      'BAD_LANGUAGE /survey/supported_languages/1',
    ],
    ['a number as language', survey({ supported_languages: [1] }), 'BAD_LANGUAGE /survey/supported_languages/0'],
    ['missing pages', survey({ pages: null }), 'MISSING_MEMBER /survey/pages'],
    ['pages as an object', survey({ pages: {} }), 'WRONG_TYPE /survey/pages'],
    ['a page that is a text', survey({ pages: ['p'] }), 'WRONG_TYPE /survey/pages/0'],
    ['a page without questions', survey({ pages: [{}] }), 'MISSING_MEMBER /survey/pages/0/questions'],
    ['questions as an object', survey({ pages: [{ questions: {} }] }), 'WRONG_TYPE /survey/pages/0/questions'],
    ['a question that is a text', survey({ pages: [{ questions: ['q'] }] }), 'WRONG_TYPE /survey/pages/0/questions/0'],
    ['a missing type', surveyOf([{ id: 'q' }]), 'MISSING_MEMBER /survey/pages/0/questions/0/type'],
    ['an unknown type', surveyOf([{ type: 'slider' }]), 'UNKNOWN_TYPE /survey/pages/0/questions/0/type'],
    ['a type named like a method', surveyOf([{ type: 'toString' }]), 'UNKNOWN_TYPE /survey/pages/0/questions/0/type'],
    [
      'a question without a title',
      surveyOf([textQuestion('q', { title: '' })]),
      'EMPTY_TITLE /survey/pages/0/questions/0/title',
    ],
    ['a number as id', surveyOf([{ id: 1, type: 'text' }]), 'WRONG_TYPE /survey/pages/0/questions/0/id'],
    ['logic as an object', survey({ logic: {} }), 'WRONG_TYPE /survey/logic'],
    ['a logic entry that is a text', survey({ logic: ['x'] }), 'WRONG_TYPE /survey/logic/0'],
    ['conditions as a text', survey({ logic: [{ conditions: 'x' }] }), 'WRONG_TYPE /survey/logic/0/conditions'],
    [
      'a condition that is a text',
      survey({ logic: [{ conditions: ['x'] }] }),
      'WRONG_TYPE /survey/logic/0/conditions/0',
    ],
    ['sections as a text', survey({ sections: 'x' }), 'WRONG_TYPE /survey/sections'],
    ['metadata as a text', survey({ metadata: 'x' }), 'WRONG_TYPE /survey/metadata'],
  ])('refuses %s', (_, definition, problem) => expect(problems(definition)).toEqual([problem]));

  it('lists the values of an enumeration, and suggests the most similar one', () => {
    const definition = {
      ...surveyOf([{ id: 'a', type: 'multiplechoice' }, { id: 'b' }, textQuestion('c', { format: 'emial' })], {
        logic: [
          { question_id: 'a', action: 'jump', match: 'al', conditions: [{ source_question: 'c', operator: 'equal' }] },
        ],
      }),
      settings: { access: 'link_only' },
    };
    const types = QUESTION_TYPE_NAMES.join(', ');
    expect(checkDefinition(definition).errors.map(({ detail }) => detail)).toEqual([
      `the type must be one of ${types}; did you mean "multiple_choice"?`,
      `the question has no type; it must be one of ${types}`,
      'access must be one of open, links_only; did you mean "links_only"?',
      'format must be one of email, url, phone, number, integer; did you mean "email"?',
      `operator must be one of ${OPERATOR_NAMES.join(', ')}; did you mean "equals"?`,
      'match must be one of all, any',
      'action must be one of show, hide, require, skip_to, disqualify',
    ]);
  });

  describe('unknown members', () => {
    it('reports each with its pointer and the most similar name', () => {
      const definition = surveyOf([textQuestion('q', { requierd: true, maxLength: 5 })], { logics: [], theme: 'dark' });
      expect(checkShape(definition).map(({ code, path, detail }) => [code, path, detail])).toEqual([
        ['UNKNOWN_MEMBER', '/survey/logics', '"logics" is not a member of a survey; did you mean "logic"?'],
        ['UNKNOWN_MEMBER', '/survey/theme', '"theme" is not a member of a survey; free content belongs in metadata'],
        [
          'UNKNOWN_MEMBER',
          '/survey/pages/0/questions/0/requierd',
          '"requierd" is not a member of a question; did you mean "required"?',
        ],
        [
          'UNKNOWN_MEMBER',
          '/survey/pages/0/questions/0/maxLength',
          '"maxLength" is not a member of a question; did you mean "max_length"?',
        ],
      ]);
    });

    it.each(['', '/survey', ...Object.values(everyPart)])('reports one at %s/a~1b', (path) => {
      expect(problems(withMember(path, 'a/b', null))).toEqual([`UNKNOWN_MEMBER ${path}/a~1b`]);
      expect(problems(withMember(path, '__proto__', {}))).toEqual([`UNKNOWN_MEMBER ${path}/__proto__`]);
    });

    it.each(['/survey', ...Object.values(everyPart)])('accepts anything in %s/metadata', (path) => {
      expect(problems(withMember(path, 'metadata', { requierd: true, nested: { x: [null, 1.5] } }))).toEqual([]);
    });

    it('takes bounded time for very long names', () => {
      const members = Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`n${index}`, 1]));
      expect(problems(survey({ ...members, ['x'.repeat(400_000)]: 1 }))).toHaveLength(LIMITS.problems);
    });
  });

  it('reports all problems at once, with their questions', () => {
    const found = checkShape(surveyOf([{ id: 'q', type: 'x', title: '' }], { title: '' }));
    expect(found.map(({ code, question_id }) => [code, question_id])).toEqual([
      ['EMPTY_TITLE', undefined],
      ['UNKNOWN_TYPE', 'q'],
      ['EMPTY_TITLE', 'q'],
    ]);
  });

  it('reports a bounded number of problems', () => {
    expect(problems(survey({ sections: new Array(5_000).fill(0) }))).toHaveLength(LIMITS.problems);
  });

  describe('limits', () => {
    const many = <Item>(count: number, item: Item) => new Array<Item>(count).fill(item);
    const nested = (levels: number): unknown => (levels === 0 ? 'x' : { a: nested(levels - 1) });

    const condition = { source_question: 'q', operator: 'is_answered' };

    it.each<[string, unknown, string, string]>([
      ['bytes', survey({ metadata: { x: 'x'.repeat(LIMITS.definitionBytes) } }), '', '1048576'],
      ['bytes, not characters', survey({ metadata: { x: 'ä'.repeat(LIMITS.definitionBytes / 2) } }), '', 'bytes'],
      ['levels of nesting', survey({ metadata: { x: nested(LIMITS.nesting - 2) } }), '', '32 levels'],
      ['languages', survey({ supported_languages: many(201, 'en') }), '/survey/supported_languages', '201 languages'],
      ['questions', surveyOf(many(1_001, { type: 'text' })), '/survey/pages', '1001 questions; at most 1000'],
      [
        'questions on several pages',
        surveyOfPages(many(1_001, [{ type: 'text' }])),
        '/survey/pages',
        '1001 questions; at most 1000',
      ],
      ...['options', 'rows', 'columns'].map((name): [string, unknown, string, string] => [
        name,
        surveyOf([{ type: 'matrix', [name]: many(2_001, 'a') }]),
        `/survey/pages/0/questions/0/${name}`,
        `2001 ${name} in a question; at most 2000`,
      ]),
      [
        'rows times columns',
        surveyOf([{ type: 'matrix', rows: many(400, 'a'), columns: many(251, 'a') }]),
        '/survey/pages',
        '100400 cells of rows, columns and options; at most 100000',
      ],
      [
        'rows times options',
        surveyOf([{ type: 'likert', rows: many(400, 'a'), options: many(251, 'a') }]),
        '/survey/pages',
        '100400 cells of rows, columns and options; at most 100000',
      ],
      [
        'conditions',
        survey({ logic: many(2, { conditions: many(2_501, condition) }) }),
        '/survey/logic',
        '5002 conditions; at most 5000',
      ],
    ])('refuses too many %s, naming the limit', (_, definition, path, detail) => {
      expect(checkShape(definition)).toEqual([
        { code: 'LIMIT_EXCEEDED', path, detail: expect.stringContaining(detail) },
      ]);
    });

    it('accepts a definition at the limits', () => {
      const withText = (x: string) => survey({ metadata: { x } });
      const available = LIMITS.definitionBytes - Buffer.byteLength(JSON.stringify(withText('')));
      expect(problems(withText('x'.repeat(available)))).toEqual([]);
      expect(problems(withText('x'.repeat(available + 1)))).toEqual(['LIMIT_EXCEEDED ']);
      expect(problems(survey({ metadata: { x: nested(LIMITS.nesting - 3) } }))).toEqual([]);
      expect(problems(surveyOf(many(LIMITS.questions, { type: 'text' })))).toEqual([]);
      expect(problems(surveyOf([{ type: 'single_choice', options: many(LIMITS.options, 'a') }]))).toEqual([]);
      expect(problems(survey({ supported_languages: many(LIMITS.languages, 'en') }))).toEqual([]);
      expect(problems(survey({ logic: many(2, { conditions: many(LIMITS.conditions / 2, condition) }) }))).toEqual([]);
    });

    it('measures nesting of any depth without a stack overflow', () => {
      let deep: unknown = 'x';
      for (let level = 0; level < 100_000; level++) deep = [deep];
      expect(problems(survey({ metadata: { deep } }))).toEqual(['LIMIT_EXCEEDED ']);
    });
  });
});
