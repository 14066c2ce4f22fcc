// biome-ignore-all lint/suspicious/noTemplateCurlyInString: forms name their questions so
import { describe, expect, it } from 'vitest';
import { readResponseFile, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { readXlsformJsonResponses, readXlsformTableResponses } from './responses.ts';
import { readXlsformCsvSurvey, readXlsformJsonSurvey } from './survey.ts';

const table = (rows: readonly string[]) => rows.join('\n');
const readCsv = (...rows: readonly string[]) => readSurveyFile(readXlsformCsvSurvey, table(rows));
type Payload = Awaited<ReturnType<typeof readCsv>>['payload'];
const answersOf = (payload: Payload, ...rows: readonly string[]) =>
  readResponseFile(readXlsformTableResponses, table(rows), payload);

describe('forms', () => {
  it('of Kobo with too many translations are rejected', async () => {
    const label = Array.from({ length: 100_000 }, (_, at) => `Text ${at}`);
    const translations = label.map((_, at) => `Language ${at} (und-x-${at})`);
    const content = { survey: [{ type: 'text', name: 'a', label }], translations };
    expect(await rejectionOf(readSurveyFile(readXlsformJsonSurvey, JSON.stringify({ content })))).toMatchObject([
      { code: 'LIMIT_EXCEEDED' },
    ]);
  });

  it('unnamed rows and choices of Kobo get the names that Kobo generates', async () => {
    const content = {
      survey: [
        { type: 'begin_group', $autoname: 'you' },
        { type: 'text', $autoname: 'Your_name', label: ['Your name'] },
        { type: 'select_one', select_from_list_name: 'l', name: '', $autoname: 'Pick', label: ['Pick'] },
        { type: 'end_group' },
      ],
      choices: [{ list_name: 'l', $autovalue: 'option_1', label: ['One'] }],
    };
    const { payload, questions, survey, problems } = await readSurveyFile(
      readXlsformJsonSurvey,
      JSON.stringify({ content }),
    );
    expect(problems).toEqual([]);
    expect([...questions.keys()]).toEqual(['Your_name', 'Pick']);
    expect(survey['sections']).toMatchObject([{ id: 'you' }]);
    const submissions = JSON.stringify([{ 'you/Your_name': 'Ann', 'you/Pick': 'option_1' }]);
    const { stored } = await readResponseFile(readXlsformJsonResponses, submissions, payload);
    expect(stored).toEqual([{ Your_name: 'Ann', Pick: 'option_1' }]);
  });

  it('texts without a language are reported if a column for the form language has others', async () => {
    const { questions, warnings } = await readCsv(
      'survey,,,,',
      ',type,name,label,label::English (en)',
      ',text,a,Short,Long',
      ',text,b,Same,Same',
      ',text,c,Only,',
      'settings,,,,',
      ',default_language,,,',
      ',English (en),,,',
    );
    expect([...questions.values()].map(({ title }) => title)).toEqual(['Long', 'Same', 'Only']);
    expect(warnings.filter(({ code }) => code === 'NOT_IMPORTED')).toMatchObject([
      { detail: expect.stringContaining('Texts of the column label are not imported if en has another text') },
    ]);
  });

  it('choices can have labels with slashes, even if no other column is of a question', async () => {
    const { payload } = await readCsv(
      'survey,,',
      ',type,name',
      ',select_multiple l,a',
      'choices,,,',
      ',list_name,name,label',
      ',l,x,in/out',
      ',l,y,off',
    );
    const { stored, responses } = await answersOf(payload, '_uuid,a/in/out', 'u1,1');
    expect([stored, responses.length]).toEqual([[{ a: ['x'] }], 1]);
  });

  it('columns with reserved names are kept separately', async () => {
    const { payload, questions, survey } = await readCsv(
      'survey,,,,',
      ',type,name,source_id,kept_as',
      ',select_one l,a,elsewhere,json',
      'choices,,,,',
      ',list_name,name,source_id,part',
      ',l,x,y,time',
      'settings,,,,',
      ',form_id,source,,',
      ',f,mine,,',
    );
    expect(questions.get('a')).toMatchObject({
      source_data: { source_id: 'a', in_file: { source_id: 'elsewhere', kept_as: 'json' } },
      options: [{ source_data: { source_id: 'x', in_file: { source_id: 'y', part: 'time' } } }],
    });
    expect(survey['source_data']).toMatchObject({ source: 'xlsform', form_id: 'f', in_file: { source: 'mine' } });
    expect((await answersOf(payload, 'a', 'x')).stored).toEqual([{ a: 'x' }]);
  });

  it('can have several parts of a sheet, and the name of a sheet beside each row', async () => {
    const parts = await readCsv(
      'survey,,',
      ',type,name',
      ',text,a',
      'settings,,',
      ',form_id',
      ',f',
      'survey,,',
      ',name,type',
      ',b,text',
    );
    expect([[...parts.questions.keys()], parts.problems]).toEqual([['a', 'b'], []]);
    const beside = await readCsv('survey,type,name', 'survey,text,a', 'survey,text,b');
    expect([...beside.questions.keys()]).toEqual(['a', 'b']);
  });

  it('groups without questions are reported', async () => {
    const { warnings } = await readCsv('survey,,', ',type,name', ',text,a', ',begin_group,g', ',end_group,');
    const detail = 'sheet survey, row 4: A group without questions is not imported';
    expect(warnings).toEqual([{ path: '', code: 'NOT_IMPORTED', detail }]);
  });

  it.each(['constructor', '__proto__', 'toString'])('%s is not a condition', async (relevant) => {
    const { problems, codes } = await readCsv('survey,,,', ',type,name,relevant', ',text,a,', `,text,b,${relevant}`);
    expect(problems).toEqual([]);
    expect(codes).toEqual(['LOGIC_NOT_CONVERTED']);
  });

  it('a flat condition with thousands of operands is kept, with the reason', async () => {
    const relevant = `1${' or 1'.repeat(3_900)}`;
    const { questions, warnings } = await readCsv(
      'survey,,,',
      ',type,name,relevant',
      ',text,a,',
      `,text,b,${relevant}`,
    );
    expect(questions.get('b')).toMatchObject({ source_data: { relevant } });
    expect(warnings).toMatchObject([{ detail: expect.stringContaining('more than 1000 parts') }]);
  });

  it('a condition of a group with only notes is not converted', async () => {
    const { codes } = await readCsv(
      'survey,,,,',
      ',type,name,label,relevant',
      ',text,a,A,',
      ",begin_group,g,G,${a}='x'",
      ',note,n,Note,',
      ',end_group,,,',
      ',text,b,B,',
    );
    expect(codes).toContain('LOGIC_NOT_CONVERTED');
  });

  it('files are not required, because they are not imported', async () => {
    const { payload, questions, codes } = await readCsv(
      'survey,,,',
      ',type,name,required',
      ',image,photo,yes',
      ',text,a,',
    );
    expect(questions.get('photo')).toMatchObject({ source_data: { required: true } });
    expect(codes).toEqual(['KEPT_AS_SOURCE_DATA']);
    expect((await answersOf(payload, 'photo,a', 'a.jpg,x')).stored).toEqual([{ a: 'x' }]);
  });
});

describe('submissions', () => {
  const pizza = [
    'survey,,,',
    ',type,name,label',
    ',select_multiple l,likes,Likes',
    'choices,,,',
    ',list_name,name,label',
    ',l,r,Red',
    ',l,db,Dark blue',
    ',l,d,Dark',
  ];

  it('choices are found by label, in a column each or in one', async () => {
    const { payload } = await readCsv(...pizza);
    const apart = await answersOf(payload, 'Likes,Likes/Red,Likes/Dark blue,Likes/Dark', 'Red Dark blue,1,1,0');
    expect(apart.stored).toEqual([{ likes: ['r', 'db'] }]);
    expect(apart.warnings).toEqual([]);
    const together = await answersOf(payload, 'Likes', 'Dark Dark blue Red', 'r db', 'Dark green');
    expect(together.stored).toEqual([{ likes: ['r', 'db', 'd'] }, { likes: ['r', 'db'] }]);
    expect(together.failures).toEqual([expect.stringContaining('UNKNOWN_OPTION /data/likes')]);
  });

  it('in tables can say n/a, unless it marks questions without an answer', async () => {
    const { payload } = await readCsv('survey,,', ',type,name', ',text,a', ',integer,b');
    const typed = await answersOf(payload, 'a,b,note', 'n/a,1,n/a', 'x,2,');
    expect(typed.responses).toMatchObject([{ answers: { a: 'n/a', b: '1' } }, { answers: { a: 'x' } }]);
    const marked = await answersOf(payload, 'a,b', 'n/a,1', 'x,n/a');
    expect(marked.responses).toMatchObject([{ answers: { b: '1' } }, { answers: { a: 'x' } }]);
    expect(marked.responses[0]).not.toHaveProperty('answers.a');
    expect(marked.warnings).toMatchObject([{ code: 'NOT_IMPORTED' }]);
  });

  it('in JSON are rejected if they are of another form, and can say n/a', async () => {
    const { payload } = await readCsv('survey,,', ',type,name', ',text,a');
    const file = JSON.stringify([
      { _id: 1, b: 'x' },
      { _id: 2, a: 'n/a' },
      { _id: 3, _status: 'ok' },
    ]);
    const { stored, failures } = await readResponseFile(readXlsformJsonResponses, file, payload);
    expect(stored).toEqual([{ a: 'n/a' }, {}]);
    expect(failures).toEqual([expect.stringMatching(/^NO_ANSWERS /)]);
  });

  it('an "other" without text is accepted', async () => {
    const { payload } = await readCsv(
      'survey,,',
      ',type,name',
      ',select_one l or_other,a',
      'choices,,',
      ',list_name,name',
      ',l,x',
    );
    const { stored } = await answersOf(payload, 'a', 'other');
    expect(stored).toEqual([{ a: { option: 'other', text: 'Other' } }]);
  });

  it('start and end are times unless a question has this name', async () => {
    const asked = await readCsv('survey,,', ',type,name', ',text,start', ',date,end');
    const { responses, stored, warnings } = await answersOf(asked.payload, 'start,end', 'home,2024-02-29');
    expect(stored).toEqual([{ start: 'home', end: '2024-02-29' }]);
    expect(responses[0]).toMatchObject({ startedAt: undefined, completedAt: undefined });
    expect(warnings).toEqual([]);
  });

  it('a question in a group does not get the time of the same name', async () => {
    const form = ['survey,,', ',type,name', ',start,start', ',begin_group,g', ',text,start', ',end_group,'];
    const { payload } = await readCsv(...form, ',text,b');
    const { stored, responses } = await answersOf(payload, 'start,g/start,b', '2024-05-01T10:00:00Z,,x');
    expect(stored).toEqual([{ b: 'x' }]);
    expect(responses[0]).toMatchObject({ startedAt: new Date('2024-05-01T10:00:00Z') });
  });

  it('a text can have any number of lines and characters', async () => {
    const { payload } = await readCsv('survey,,', ',type,name', ',text,a');
    const { stored } = await answersOf(payload, 'a', `"one\n${'x'.repeat(5_000)}"`);
    expect(stored).toHaveLength(1);
  });

  it('too large metadata is removed', async () => {
    const { payload } = await readCsv('survey,,', ',type,name', ',text,a');
    const { responses, warnings } = await answersOf(payload, 'a,b,c', `x,${'y'.repeat(8_000)},${'z'.repeat(9_000)}`);
    const [kept] = responses;
    expect(kept).toMatchObject({
      metadata: { source_data: { b: expect.any(String) } },
      unassigned: [
        { column: 'b', code: 'UNKNOWN_COLUMN', keptAs: ['source_data', 'b'] },
        {
          column: 'c',
          code: 'UNKNOWN_COLUMN',
          detail: 'the survey has no such column, and the metadata of the response is full',
        },
      ],
    });
    expect(kept).not.toHaveProperty(['unassigned', 1, 'keptAs']);
    expect(warnings.map(({ code }) => code)).toContain('NOT_IMPORTED');
  });
});
