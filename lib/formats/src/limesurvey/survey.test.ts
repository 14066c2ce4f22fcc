import type { JsonObject } from '@bufbuild/protobuf';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { fixture, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { lss, table } from '../testing/write-lss.ts';
import { readLimesurveySurvey } from './survey.ts';

const file = (name: string) => fixture(import.meta.url, name);
const read = (name: string) => readSurveyFile(readLimesurveySurvey, file(name));
const readText = (text: string) => readSurveyFile(readLimesurveySurvey, text);

describe('a LimeSurvey survey with all question types', async () => {
  const { survey, questions, problems, warnings, payload } = await read('kinds.lss');
  const question = (id: string): JsonObject => questions.get(id) ?? {};

  it('passes lint', () => {
    expect(problems).toEqual([]);
  });

  it.each([
    [
      'single',
      { type: 'single_choice', title: 'Which meal?', description: 'One of them', required: true, allow_other: true },
    ],
    ['drop', { type: 'single_choice', required: false, options: [{ id: 'A1', text: 'One' }, { id: 'A2' }] }],
    ['commented', { type: 'single_choice' }],
    ['commented_comment', { type: 'textarea', title: 'With a word? – Comment' }],
    ['yesno', { type: 'single_choice', options: [{ id: 'Y', text: 'Yes' }, { id: 'N' }] }],
    ['gender', { type: 'single_choice', options: [{ id: 'F' }, { id: 'M' }] }],
    ['language', { type: 'single_choice', options: [{ id: 'en' }] }],
    ['five', { type: 'rating', min: 1, max: 5 }],
    ['many', { type: 'multiple_choice', allow_other: true, min_selections: 1, max_selections: 2 }],
    ['reasons', { type: 'multiple_choice' }],
    ['reasons_acomment', { type: 'textarea', title: 'Which, and why? – Taste – Comment' }],
    ['reasons_othercomment', { type: 'textarea' }],
    ['short', { type: 'text', pattern: '^[0-9]{4}$', max_length: 4 }],
    ['number', { type: 'text', format: 'number' }],
    ['whole', { type: 'text', format: 'integer' }],
    ['long', { type: 'textarea' }],
    ['huge', { type: 'textarea', max_length: 500 }],
    ['names_first', { type: 'text', title: 'Who are you? – First name' }],
    ['amounts_x', { type: 'text', format: 'number' }],
    ['slides_x', { type: 'rating', min: 0, max: 10, step: 0.5 }],
    ['day', { type: 'date', min: '2020-01-01', max: '2030-06-30' }],
    ['hour', { type: 'time' }],
    ['both', { type: 'date', title: expect.stringMatching(/ – Date$/) }],
    ['both_time', { type: 'time', title: expect.stringMatching(/ – Time$/) }],
    ['files', { type: 'file_upload', max_files: 2, max_bytes: 10_485_760, accept: ['.png', '.jpg'] }],
    ['a5', { type: 'likert', options: { length: 5 }, rows: { length: 2 } }],
    ['b10', { type: 'likert', options: { length: 10 } }],
    ['yun', { type: 'likert', options: [{ id: 'Y' }, { id: 'U', text: 'Uncertain' }, { id: 'N' }] }],
    ['isd', { type: 'likert', options: [{ id: 'I' }, { id: 'S' }, { id: 'D', text: 'Decrease' }] }],
    ['flex', { type: 'likert', options: [{ id: 'g', text: 'Good' }, { id: 'b' }] }],
    ['byCol', { type: 'likert' }],
    ['dual_1', { type: 'likert', title: 'Twice – Taste', options: [{ id: 'g' }, { id: 'b' }] }],
    ['dual_2', { type: 'likert', title: 'Twice – 2', options: [{ id: '1' }, { id: '2' }] }],
    ['numbers_r_c1', { type: 'rating', min: 1, max: 5, title: 'Numbers – Row – First' }],
    ['boxes_r_c', { type: 'text', format: 'number' }],
    ['checks', { type: 'matrix', multiple: true }],
    ['words_r_c', { type: 'textarea' }],
    ['rank', { type: 'matrix', rows: { length: 3 }, columns: { length: 3 } }],
    ['nothing', { type: 'text' }],
  ])('has %s as %j', (id, members) => {
    expect(question(id)).toMatchObject(members);
  });

  it('marks exclusive choices', () => {
    expect(question('many')['options']).toMatchObject([{ id: 'tea' }, {}, { id: 'none', exclusive: true }]);
  });

  it('shows the comment of a choice if it is chosen', () => {
    const condition = (value: string) => [{ source_question: 'reasons', operator: 'contains', value, action: 'show' }];
    expect(survey['logic']).toEqual([
      { question_id: 'reasons_acomment', conditions: condition('a') },
      { question_id: 'reasons_bcomment', conditions: condition('b') },
      { question_id: 'reasons_othercomment', conditions: condition('other') },
    ]);
  });

  it('has a page for each group, and the texts of the survey', () => {
    expect(survey).toMatchObject({
      title: 'Every kind of question',
      description: 'All of them',
      welcome_screen: { description: 'Welcome' },
      thank_you_screen: { description: 'Thank you' },
      pages: [
        { id: 'group-10', title: 'Choices' },
        { title: 'Texts' },
        { title: 'Tables', description: 'Tables' },
        { title: 'Others', description: 'Nearly done', source_data: { randomization_group: 'r1' } },
      ],
    });
  });

  it('keeps everything else without secrets, and warns at the first occurrence', () => {
    expect(survey['source_data']).toMatchObject({
      source: 'limesurvey',
      source_id: '495001',
      settings: { startdate: '2024-01-01 00:00:00' },
      texts: [{ language: 'en', surveyls_url: 'https://example.com' }],
      quota: [{ id: '1', name: 'Q', qlimit: '5' }],
      questions: [{ title: 'intro' }, { title: 'sum' }, { title: 'odd' }],
    });
    for (const hidden of ['secret', 'A. Dmin']) expect(JSON.stringify(payload)).not.toContain(hidden);
    expect(question('long')['source_data']).toMatchObject({ preg: '/^x$/' });
    expect(question('soft')['source_data']).toMatchObject({ mandatory: 'S', attributes: { encrypted_default: 'x' } });
    expect(warnings.map(({ code, detail }) => `${code} ${detail}`)).toEqual([
      expect.stringMatching(/^HTML_REMOVED/),
      expect.stringMatching(/^KEPT_AS_SOURCE_DATA random_order /),
      expect.stringMatching(/^KEPT_AS_SOURCE_DATA The pattern of long /),
      expect.stringMatching(/^NO_SUCH_TYPE both asks for a date with a time/),
      expect.stringMatching(/^NO_SUCH_TYPE A ranking /),
      expect.stringMatching(/^KEPT_AS_SOURCE_DATA Random order is not supported; groups/),
      expect.stringMatching(/^NO_SUCH_TYPE intro: A text between questions/),
      expect.stringMatching(/^NO_SUCH_TYPE sum: The question type \*/),
      expect.stringMatching(/^NO_SUCH_TYPE odd: The question type ~/),
      expect.stringMatching(/^KEPT_AS_SOURCE_DATA mandatory /),
      expect.stringMatching(/^KEPT_AS_SOURCE_DATA encrypted_default /),
      expect.stringMatching(/^NO_SUCH_TYPE nothing lacks choices/),
      expect.stringMatching(/^KEPT_AS_SOURCE_DATA Settings such as/),
      expect.stringMatching(/^NOT_IMPORTED Passwords/),
      expect.stringMatching(/^NOT_IMPORTED Names, e-mail addresses/),
      expect.stringMatching(/^NOT_IMPORTED E-mail texts/),
      expect.stringMatching(/^KEPT_AS_SOURCE_DATA The table quota/),
      expect.stringMatching(/^KEPT_AS_SOURCE_DATA surveyls_url /),
    ]);
  });

  it('is the same in the older file version', async () => {
    const old = await read('kinds-old.lss');
    const bare = (value: unknown) =>
      JSON.parse(JSON.stringify(value, (name, part) => (name === 'source_data' ? undefined : part)));
    expect(bare(old.payload)).toEqual(bare(payload));
  });
});

describe('texts of LimeSurvey', () => {
  it.each(['languages.lss', 'languages-old.lss'])('come in all languages in %s', async (name) => {
    const { survey, questions, problems, codes } = await read(name);
    expect(problems).toEqual([]);
    expect(survey).toMatchObject({
      title: { 'de-informal': 'Übersetzt', en: 'Translated' },
      supported_languages: ['de-informal', 'en', 'fr'],
      pages: [{ title: { 'de-informal': 'Gruppe', en: 'Group' } }],
    });
    expect(questions.get('q1')).toMatchObject({
      title: { 'de-informal': 'Was isst du?', en: 'What do you eat?', fr: 'Que manges-tu ?' },
      options: [{ text: { fr: 'Soupe' } }, { text: { 'de-informal': 'Brot', en: 'Bread' } }],
    });
    expect(questions.get('q3')).toMatchObject({ title: 'q3' });
    expect(codes).toContain('NOT_IMPORTED');
    expect(codes).toContain('EMPTY_TITLE');
  });
});

describe('a file that is not a LimeSurvey survey', () => {
  it.each([
    ['no XML', 'class,type', 'BAD_XML', 'line 1, column 1'],
    ['a broken archive', Buffer.from([0x50, 0x4b, 3, 4]), 'BAD_ZIP', 'archive'],
    ['another document', '<document><a/></document>', 'WRONG_TYPE', 'has no LimeSurveyDocType'],
    [
      'a group',
      '<document><LimeSurveyDocType>Group</LimeSurveyDocType></document>',
      'WRONG_TYPE',
      'LimeSurveyDocType is Group',
    ],
    ['one with entities', '<!DOCTYPE d [<!ENTITY a "b">]><document>&a;</document>', 'BAD_XML', 'DOCTYPE'],
    ['one that is cut off', '<document>\n<LimeSurveyDocType>Survey', 'BAD_XML', 'line 2'],
    [
      'one with too many rows',
      `<document><LimeSurveyDocType>Survey</LimeSurveyDocType><answers><rows>${'<row/>'.repeat(200_001)}</rows></answers></document>`,
      'TOO_LARGE',
      'rows',
    ],
  ])('is rejected if it is %s', async (_case, contents, code, detail) => {
    const reading = readSurveyFile(readLimesurveySurvey, contents);
    expect(await rejectionOf(reading)).toEqual([{ path: '', code, detail: expect.stringContaining(detail) }]);
  });
});

describe('an unusual LimeSurvey survey', () => {
  it.each([
    ['no question', lss([])],
    ['nothing but its type', '<document><LimeSurveyDocType>Survey</LimeSurveyDocType></document>'],
  ])('has a page without questions if it has %s', async (_case, text) => {
    const { problems } = await readText(text);
    expect(problems.map(({ code }) => code)).toEqual(['NO_QUESTIONS']);
  });

  it.each([
    ['the same code twice', [{ title: 'a' }, { title: 'a' }]],
    ['names from the prototype', [{ title: '__proto__', type: 'constructor' }, { title: 'constructor' }]],
    ['a pattern that cannot run', [{ preg: '/(?=a)/' }, { preg: '/a/x' }, { preg: '/\\p{/' }, { preg: '/A\\/b/i' }]],
    ['invalid numbers', [{ question_order: 'x', other: '?', mandatory: '?' }]],
  ])('passes lint with %s', async (_case, questions) => {
    expect((await readText(lss(questions))).problems).toEqual([]);
  });

  it.each([
    [{}, { min: 1, max: 10 }],
    [{ multiflexible_min: '5' }, { min: 5, max: 15 }],
    [{ multiflexible_max: '7' }, { min: 1, max: 7 }],
  ])('has lists of numbers with the limits %j', async (limits, expected) => {
    const subquestions = ['0', '1'].map((scale) => ({
      ...{ qid: `1${scale}`, parent_qid: '1', title: 'a', question: 'A', language: 'en', scale_id: scale },
    }));
    const attributes = Object.entries(limits).map(([attribute, value]) => ({ qid: '1', attribute, value }));
    const more = table('subquestions', subquestions) + table('question_attributes', attributes);
    const { questions } = await readText(lss([{ type: ':' }], more));
    expect(questions.get('Q1_a_a')).toMatchObject({ type: 'rating', ...expected });
  });

  it('has built-in answers in English, with a warning for other languages', async () => {
    const german = lss([{ type: 'Y', language: 'de' }, { type: 'G' }]).replace('<![CDATA[en]]>', '<![CDATA[de]]>');
    expect((await readText(german)).codes).toEqual(['NOT_TRANSLATED']);
  });

  it('has patterns in RE2 syntax', async () => {
    const { questions } = await readText(lss([{ preg: '/A\\/b/i' }]));
    expect(questions.get('Q1')).toMatchObject({ pattern: '(?i)A/b' });
  });

  it('ignores attributes that contradict each other or are expressions', async () => {
    const attributes = table('question_attributes', [
      { qid: '1', attribute: 'min_answers', value: '3' },
      { qid: '1', attribute: 'max_answers', value: 'q1 + 1' },
      { qid: '2', attribute: 'date_min', value: '2030' },
      { qid: '2', attribute: 'date_max', value: '2020' },
      { qid: '3', attribute: 'slider_layout', value: '1' },
      { qid: '3', attribute: 'slider_min', value: '9' },
      { qid: '3', attribute: 'slider_max', value: '1' },
    ]);
    const subquestions = table('subquestions', [
      { qid: '11', parent_qid: '1', title: 'a', question: 'A', language: 'en' },
      { qid: '12', parent_qid: '3', title: 'a', question: 'A', language: 'en' },
    ]);
    const { problems, questions } = await readText(
      lss([{ type: 'M' }, { type: 'D' }, { type: 'K' }], attributes + subquestions),
    );
    expect(problems).toEqual([]);
    expect([...questions.values()].map(({ type }) => type)).toEqual(['multiple_choice', 'date', 'text']);
  });
});

describe('source_data of a LimeSurvey survey', () => {
  const reported = (warnings: readonly FieldProblem[]) => warnings.map(({ code, path }) => `${code} ${path}`);
  const sourceOf = (question: JsonObject | undefined) => question?.['source_data'];
  const answer = (code: string, value: string, more = {}) => ({
    ...{ qid: '1', code, answer: code, language: 'en', assessment_value: value },
    ...more,
  });

  it('has assessments of answers, with one warning', async () => {
    const answers = [
      answer('A', '0'),
      answer('B', '5'),
      answer('C', '1', { qid: '2' }),
      answer('D', '2', { qid: '2' }),
    ];
    const { questions, warnings } = await readText(lss([{ type: 'L' }, { type: 'R' }], table('answers', answers)));
    expect(sourceOf(questions.get('Q1'))).toMatchObject({ answers: [{ code: 'B', assessment_value: '5' }] });
    expect(sourceOf(questions.get('Q2'))).toMatchObject({ answers: [{ code: 'C' }, { code: 'D' }] });
    expect(reported(warnings).filter((one) => one.startsWith('KEPT'))).toEqual(['KEPT_AS_SOURCE_DATA /answers/rows/1']);
  });

  it('causes no warning for default assessments', async () => {
    const of = (value: string, qid: string) => [answer('A', value, { qid }), answer('B', value, { qid })];
    const rows = [...of('0', '1'), ...of('1', '2'), ...of('', '3')];
    const file = lss([{ type: 'L' }, { type: 'L' }, { type: 'L' }], table('answers', rows));
    expect((await readText(file)).warnings).toEqual([]);
  });

  it('has fields, logic and attributes of subquestions', async () => {
    const item = { parent_qid: '1', question: 'One', language: 'en', other: 'N', same_default: '0', encrypted: 'N' };
    const subquestions = table('subquestions', [
      { ...item, qid: '11', title: 'a', relevance: '1' },
      { ...item, qid: '12', title: 'b', relevance: 'Q0.NAOK=="Y"' },
      { ...item, qid: '13', title: 'c', help: 'Here', scale_id: '1' },
    ]);
    const attributes = table('question_attributes', [
      { qid: '12', attribute: 'prefix', value: '€' },
      { qid: '12', attribute: 'hidden', value: '0' },
    ]);
    const { questions, warnings } = await readText(lss([{ type: ';' }], subquestions + attributes));
    expect(sourceOf(questions.get('Q1_a_c'))).toMatchObject({
      subquestions: [
        { code: 'b', relevance: 'Q0.NAOK=="Y"', attributes: { prefix: '€' } },
        { code: 'c', scale_id: '1', help: 'Here' },
      ],
    });
    expect(JSON.stringify(sourceOf(questions.get('Q1_b_c')))).not.toContain('prefix');
    expect(reported(warnings)).toEqual([
      'KEPT_AS_SOURCE_DATA /subquestions/rows/1',
      'KEPT_AS_SOURCE_DATA /subquestions/rows/2',
      'LOGIC_NOT_CONVERTED /subquestions/rows/1/relevance',
    ]);
  });

  it('has scripts of questions and of their translations', async () => {
    const texts = table('question_l10ns', [
      { id: '1', qid: '1', language: 'en', question: 'One', help: 'Help', script: 'run();' },
      { id: '2', qid: '2', language: 'en', question: 'Two', script: '' },
    ]);
    const { questions, warnings } = await readText(lss([{}, {}, { script: 'old();' }], texts));
    expect(sourceOf(questions.get('Q1'))).toMatchObject({ texts: [{ language: 'en', script: 'run();' }] });
    expect(sourceOf(questions.get('Q2'))).not.toHaveProperty('texts');
    expect(sourceOf(questions.get('Q3'))).toMatchObject({ script: 'old();' });
    expect(reported(warnings)).toEqual(['KEPT_AS_SOURCE_DATA /questions/rows/0']);
  });

  it('has translated attributes', async () => {
    const attributes = table('question_attributes', [
      { qid: '1', attribute: 'other_replace_text', value: 'Else', language: 'en' },
      { qid: '1', attribute: 'other_replace_text', value: 'Sonst', language: 'de' },
      { qid: '1', attribute: 'suffix', value: 'kg', language: 'en' },
      { qid: '1', attribute: 'suffix', value: 'kg', language: 'de' },
    ]);
    const { questions, warnings } = await readText(lss([{}], attributes));
    expect(sourceOf(questions.get('Q1'))).toMatchObject({
      attributes: { other_replace_text: 'Else', suffix: 'kg' },
      translations: [{ attribute: 'other_replace_text', value: 'Sonst', language: 'de' }],
    });
    expect(reported(warnings)).toContain('KEPT_AS_SOURCE_DATA /question_attributes/rows/1');
  });

  it('has unsupported limits and patterns', async () => {
    const attributes = table('question_attributes', [
      { qid: '1', attribute: 'max_answers', value: 'q1 + 1' },
      { qid: '1', attribute: 'min_answers', value: '1' },
      { qid: '2', attribute: 'slider_layout', value: '1' },
      { qid: '2', attribute: 'slider_min', value: 'x' },
      { qid: '3', attribute: 'input_boxes', value: '1' },
      { qid: '3', attribute: 'multiflexible_max', value: '7' },
      { qid: '4', attribute: 'maximum_chars', value: '9' },
      { qid: '4', attribute: 'numbers_only', value: '1' },
      { qid: '5', attribute: 'maximum_chars', value: '9' },
    ]);
    const subquestions = table(
      'subquestions',
      ['1', '2', '3', '3'].map((parent, index) => ({
        ...{ qid: `1${index}`, parent_qid: parent, title: 'a', question: 'A', language: 'en' },
        scale_id: index === 3 ? '1' : '0',
      })),
    );
    const kinds = [{ type: 'M' }, { type: 'K' }, { type: ':' }, { preg: '/^1/' }, { preg: '/^a/' }];
    const { survey, warnings, problems } = await readText(lss(kinds, attributes + subquestions));
    expect(problems).toEqual([]);
    expect(survey).toMatchObject({
      pages: [
        {
          questions: [
            { min_selections: 1, source_data: { attributes: { max_answers: 'q1 + 1' } } },
            { source_data: { attributes: { slider_min: 'x' } } },
            { source_data: { attributes: { multiflexible_max: '7' } } },
            { source_data: { attributes: { maximum_chars: '9' }, preg: '/^1/' } },
            { max_length: 9, pattern: '^a' },
          ],
        },
      ],
    });
    expect(warnings.map(({ path, detail }) => `${path} ${detail.split(' ')[0]}`)).toEqual([
      '/questions/rows/0 max_answers',
      '/questions/rows/1 slider_min',
      '/questions/rows/2 multiflexible_max',
      '/questions/rows/3 preg',
      '/questions/rows/3 maximum_chars',
    ]);
  });

  it('leaves out names, addresses and mailboxes of staff', async () => {
    const staff = {
      ...{ admin: 'staff', adminemail: 'staff@example.com', faxto: 'staff', bounce_email: 'staff@example.com' },
      ...{ emailnotificationto: 'staff@example.com', bounceaccounthost: 'staff', bounceaccountuser: 'staff' },
    };
    const others = table('quota', [{ name: 'Q', emailto: 'staff@example.com' }]);
    const surveys = table('surveys', [{ sid: '1', language: 'en', ...staff }]);
    const file = lss([{}], others).replace(table('surveys', [{ sid: '1', language: 'en' }]), surveys);
    const { survey, warnings } = await readText(file);
    expect(JSON.stringify(survey)).not.toContain('staff');
    expect(survey['source_data']).toMatchObject({ quota: [{ name: 'Q' }] });
    expect(warnings.map(({ detail }) => detail)).toContain(
      'Names, e-mail addresses and mailboxes of staff are not imported',
    );
  });

  it('warns of staff in other tables, and of limits of zero', async () => {
    const attribute = { qid: '1', attribute: 'min_num_value_n', value: '0', language: '' };
    const others =
      table('quota', [{ name: 'Q', emailto: 'staff@example.com' }]) + table('question_attributes', [attribute]);
    const { warnings, questions } = await readText(lss([{ type: 'N' }], others));
    expect(warnings.map(({ detail }) => detail)).toEqual([
      'min_num_value_n has no equivalent and is kept in source_data of the question',
      'Names, e-mail addresses and mailboxes of staff are not imported',
      'The table quota has no equivalent and is kept in source_data',
    ]);
    expect(questions.get('Q1')).toMatchObject({ source_data: { attributes: { min_num_value_n: '0' } } });
  });

  it('has unknown fields of groups, tables and texts', async () => {
    const file = lss(
      [{}],
      table('plugin_settings', [{ name: 'x', value: 'hush' }]) +
        table('services', [{ url: 'u', apikey: 'hush' }]) +
        table('texts', [{ a: 'b' }]) +
        table('surveys_languagesettings', [
          {
            ...{ surveyls_language: 'en', surveyls_title: 'T', surveyls_dateformat: '9', attachments: 'a:0:{}' },
            ...{ surveyls_legal_notice: 'All yours', surveyls_email_invite: 'Come' },
          },
        ]) +
        table('themes', [{ template: 'fruity' }]),
    ).replace('<group_name>', '<mood>calm</mood><group_name>');
    const { survey, warnings } = await readText(file);
    expect(survey).toMatchObject({
      pages: [{ source_data: { mood: 'calm' } }],
      source_data: {
        services: [{ url: 'u' }],
        tables: { texts: [{ a: 'b' }] },
        texts: [{ language: 'en', surveyls_legal_notice: 'All yours' }],
      },
    });
    expect(reported(warnings)).toEqual([
      'KEPT_AS_SOURCE_DATA /groups/rows/0',
      'NOT_IMPORTED /surveys_languagesettings/rows/0',
      'NOT_IMPORTED /plugin_settings/rows/0',
      'KEPT_AS_SOURCE_DATA /services/rows/0',
      'KEPT_AS_SOURCE_DATA /texts/rows/0',
      'KEPT_AS_SOURCE_DATA /surveys_languagesettings/rows/0',
    ]);
    expect(JSON.stringify(survey)).not.toContain('hush');
  });

  it('has all parts of an unsupported question', async () => {
    const file = lss(
      [{ type: '*', title: 'sum' }],
      table('question_l10ns', [{ id: '1', qid: '1', language: 'en', question: '{a + b}' }]) +
        table('question_attributes', [{ qid: '1', attribute: 'equation', value: '{a * b}' }]),
    );
    expect((await readText(file)).survey['source_data']).toMatchObject({
      questions: [{ title: 'sum', texts: [{ question: '{a + b}' }], attributes: { equation: '{a * b}' } }],
    });
  });
});

describe('a too large LimeSurvey survey', () => {
  it.each([
    [';', 500],
    [':', 1_200],
    ['Q', 1_001],
  ])('is rejected with a question %s with two axes of %i', async (type, length) => {
    const axis = (scale: string) =>
      Array.from({ length }, (_, index) => ({
        qid: `${scale}${index}`,
        parent_qid: '1',
        scale_id: scale,
        title: `S${index}`,
        question: 'One',
        language: 'en',
      }));
    const file = lss([{ type }], table('subquestions', [...axis('0'), ...axis('1')]));
    expect(await rejectionOf(readSurveyFile(readLimesurveySurvey, file))).toMatchObject([{ code: 'LIMIT_EXCEEDED' }]);
  });

  it('has at most as many languages as a survey can have', async () => {
    const additional = Array.from({ length: 300 }, (_, index) => `en-x-${index}`).join(' ');
    const file = lss([{ type: 'I' }]).replace(
      '</language>',
      `</language><additional_languages>${additional}</additional_languages>`,
    );
    const { survey, codes, problems } = await readSurveyFile(readLimesurveySurvey, file);
    expect(survey['supported_languages']).toHaveLength(200);
    expect(codes).toContain('NOT_IMPORTED');
    expect(problems).toEqual([]);
  });
});

describe('LimeSurvey questions with responses', () => {
  it('accept texts as long as in LimeSurvey, and require no files', async () => {
    const { questions, warnings } = await readSurveyFile(
      readLimesurveySurvey,
      lss([{}, { type: '|', mandatory: 'Y' }, { preg: '/^a+$/' }, { type: 'L' }]),
    );
    expect(['Q1', 'Q3', 'Q4'].map((id) => questions.get(id)?.['max_length'])).toEqual([20_000, 20_000, 20_000]);
    expect(questions.get('Q3')).toMatchObject({ pattern: '^a+$' });
    expect(questions.get('Q2')).not.toHaveProperty('required');
    expect(questions.get('Q2')).toMatchObject({ source_data: { required: true } });
    expect(warnings).toContainEqual(
      expect.objectContaining({ path: '/questions/rows/1', code: 'KEPT_AS_SOURCE_DATA' }),
    );
  });

  it('are matched even if fields have reserved names', async () => {
    const { questions } = await readSurveyFile(
      readLimesurveySurvey,
      lss([{ source_id: 'x', variable: 'y', moment: 'z' }]),
    );
    expect(questions.get('Q1')).toMatchObject({
      source_data: { source_id: 'Q1', more: { source_id: 'x', variable: 'y', moment: 'z' } },
    });
  });
});

describe('changes that respondents notice', () => {
  it('are reported for each question', async () => {
    const hidden = ['1', '2', '3'].map((qid) => ({ qid, attribute: 'hidden', value: '1' }));
    const { warnings } = await readText(lss([{}, {}, {}], table('question_attributes', hidden)));
    const details = warnings.map(({ detail }) => detail).filter((detail) => detail.includes('hidden'));
    expect(details).toEqual(['Q1', 'Q2', 'Q3'].map((id) => `The hidden question ${id} is shown, and not required`));
  });

  it('are not reported for a question without an equivalent, but for a text', async () => {
    const item = { qid: '9', parent_qid: '1', title: 'a', question: 'A', language: 'en', relevance: '0' };
    const questions = [{ type: '*', question: '', mandatory: 'Y' }, { type: '*', question: '{Q1 + 1}' }, {}];
    const { codes } = await readText(lss(questions, table('subquestions', [item])));
    expect(codes.filter((code) => code !== 'NO_SUCH_TYPE' && code !== 'KEPT_AS_SOURCE_DATA')).toEqual([]);
    expect((await readText(lss([{ type: 'X', question: '{Q1}' }, {}]))).codes).toContain('PLACEHOLDER_KEPT');
  });

  it('include questions of no group, and items of no question', async () => {
    const item = { qid: '9', parent_qid: '8', title: 'a', question: 'A', language: 'en' };
    const { survey, questions, warnings } = await readText(lss([{}, { gid: '7' }], table('subquestions', [item])));
    expect([...questions.keys()]).toEqual(['Q1']);
    expect(survey['source_data']).toMatchObject({ questions: [{ title: 'Q2', gid: '7' }] });
    expect(warnings.map(({ path, code }) => `${code} ${path}`)).toEqual([
      'KEPT_AS_SOURCE_DATA /questions/rows/1',
      'NOT_IMPORTED /subquestions/rows/0',
    ]);
  });

  it('include a language that occurs twice', async () => {
    const more = '<additional_languages>iw he EN</additional_languages>';
    const { survey, warnings } = await readText(lss([{}]).replace('</language>', `</language>${more}`));
    expect(survey['supported_languages']).toEqual(['en', 'he']);
    expect(warnings.map(({ detail }) => detail)).toEqual([
      'The languages iw and he are the same; the texts of he are not imported',
      'The languages en and EN are the same; the texts of EN are not imported',
    ]);
  });

  it('include a ranking of too many answers, which is kept whole', async () => {
    const answers = Array.from({ length: 101 }, (_, at) => ({
      ...{ qid: '1', code: `A${at}`, answer: `Answer ${at}`, sortorder: String(at), language: 'en' },
    }));
    const { survey, questions, warnings } = await readText(lss([{ type: 'R' }, {}], table('answers', answers)));
    expect([...questions.keys()]).toEqual(['Q2']);
    expect(survey['source_data']).toMatchObject({ questions: [{ title: 'Q1' }] });
    expect(warnings.map(({ detail }) => detail)).toEqual([
      'Q1: A ranking of more than 100 answers has no equivalent; the question is kept in source_data of the survey',
    ]);
  });
});
