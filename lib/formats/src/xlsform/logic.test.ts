// biome-ignore-all lint/suspicious/noTemplateCurlyInString: forms name their questions so
import { compile } from '@survey/questionnaire/compile';
import { describe, expect, it } from 'vitest';
import { readSurveyFile } from '../testing/read-files.ts';
import { readXlsformCsvSurvey } from './survey.ts';

const CHOICES = 'choices\n,list_name,name,label\n,l,a,A\n,l,b,B\n,l,7,Seven\n';
const ROWS =
  ',select_one l,one,,\n,select_multiple l,many,,\n,integer,int,,\n,decimal,dec,,\n,text,txt,,\n,date,day,,\n';

async function shownBy(relevant: string) {
  const quoted = `"${relevant.replaceAll('"', '""')}"`;
  const csv = `survey\n,type,name,label,relevant\n${ROWS},text,target,,${quoted}\n${CHOICES}`;
  const { payload, problems, warnings } = await readSurveyFile(readXlsformCsvSurvey, csv);
  expect(problems).toEqual([]);
  const { validate } = compile(payload);
  return {
    reason: warnings.find(({ code }) => code === 'LOGIC_NOT_CONVERTED')?.detail,
    isShown: (answers: object) => 'target' in validate({ ...answers, target: 'x' }).data,
  };
}

describe('relevant', () => {
  it.each<readonly [string, readonly object[], readonly object[]]>([
    ["${one} = 'a'", [{ one: 'a' }], [{ one: 'b' }, {}]],
    ["${one} != 'a'", [{ one: 'b' }, {}], [{ one: 'a' }]],
    ["'a' = ${one}", [{ one: 'a' }], [{}]],
    ['${one} = ‘a’', [{ one: 'a' }], [{}]],
    ['${one} = 7', [{ one: '7' }], [{ one: 'a' }, {}]],
    ['${one} > 6', [{ one: '7' }], [{ one: 'a' }, {}]],
    ["${one} = ''", [{}], [{ one: 'a' }]],
    ["${one} != ''", [{ one: 'a' }], [{}]],
    ["selected(${one}, 'a') or selected(${one}, 'b')", [{ one: 'a' }, { one: 'b' }], [{ one: '7' }, {}]],
    ["contains(${one}, 'a')", [{ one: 'a' }], [{ one: 'b' }, {}]],
    ["selected(${many}, 'a') and not(selected(${many}, 'b'))", [{ many: ['a'] }], [{ many: ['a', 'b'] }, {}]],
    ["selected(${many}, 'zed')", [], []],
    ["${many} = 'a'", [{ many: ['a'] }], [{ many: ['a', 'b'] }, {}]],
    ['count-selected(${many}) > 0', [{ many: ['a'] }], [{}]],
    ['count-selected(${many}) = 0', [{}], [{ many: ['a'] }]],
    ['${int} >= 18 and ${int} < 65', [{ int: '18' }], [{ int: '17' }, { int: '65' }, {}]],
    ['not(${int} > 5)', [{ int: '5' }, {}], [{ int: '6' }]],
    ['${int} = -1', [{ int: '-1' }], [{ int: '1' }]],
    ["${txt} = 'Abc'", [{ txt: 'Abc' }], [{ txt: 'abc' }, {}]],
    ['${txt} = 5', [{ txt: '5' }, { txt: '05.0' }], [{ txt: '55' }, {}]],
    ['${txt} = 0', [{ txt: '0' }, { txt: '00.0' }], [{ txt: '1' }, { txt: '.' }, {}]],
    ['${txt} = 0.5', [{ txt: '0.5' }, { txt: '.50' }], [{ txt: '0.5.0' }, { txt: '0.55' }, {}]],
    ['${txt} = -5', [{ txt: '-5' }, { txt: '-05.0' }], [{ txt: '5' }, {}]],
    ["contains(${txt}, 'a.c')", [{ txt: 'xa.cx' }], [{ txt: 'abc' }, { txt: 'A.C' }, {}]],
    ["starts-with(${txt}, 'a')", [{ txt: 'ab' }], [{ txt: 'ba' }]],
    ["ends-with(${txt}, 'a')", [{ txt: 'ba' }], [{ txt: 'ab' }]],
    ["regex(${txt}, '[a-z]+')", [{ txt: 'abc' }], [{ txt: 'abc1' }, {}]],
    ["regex(${txt}, '[a-z]*')", [{ txt: 'abc' }, {}], [{ txt: '1' }]],
    ['string-length(${txt}) > 0', [{ txt: 'a' }], [{}]],
    ['string-length(${txt}) >= 1', [{ txt: 'a' }], [{}]],
    ['string-length(${txt}) < 1', [{}], [{ txt: 'a' }]],
    ['string-length(${txt}) < 20001', [{ txt: 'a' }, {}], []],
    ["string-length(${txt}) != ''", [{ txt: 'a' }, {}], []],
    ['int(${int}) = 5', [{ int: '5' }], [{ int: '6' }, {}]],
    ["number(${txt}) = '5'", [{ txt: '5' }, { txt: '05.0' }], [{ txt: '55' }, {}]],
    ["number(${txt}) = ' 5.0 '", [{ txt: '5' }], [{ txt: ' 5.0 1' }, {}]],
    ["number(${one}) = '7.0'", [{ one: '7' }], [{ one: 'a' }, {}]],
    ["number(${txt}) != ''", [{ txt: 'a' }, {}], []],
    ["string(${txt}) = '5'", [{ txt: '5' }], [{ txt: '05' }, {}]],
    ['count-selected(${one}) < 2', [{ one: 'a' }, {}], []],
    ["${day} > date('2024-01-01')", [{ day: '2024-01-02' }], [{ day: '2024-01-01' }, {}]],
    ["${day} <= date('2024-01-01')", [{ day: '2024-01-01' }], [{ day: '2024-01-02' }, {}]],
    ["${day} = '2024-01-01'", [{ day: '2024-01-01' }], [{ day: '2024-01-02' }]],
    ['true()', [{}], []],
    ['TRUE', [{}], []],
    ['${one}', [{ one: 'a' }], [{}]],
  ])('%s', async (relevant, shown, hidden) => {
    const { isShown, reason } = await shownBy(relevant);
    if (shown.length > 0) expect(reason).toBeUndefined();
    for (const answers of shown) expect(isShown(answers), JSON.stringify(answers)).toBe(true);
    for (const answers of hidden) expect(isShown(answers), JSON.stringify(answers)).toBe(false);
  });

  it.each([
    ['${nope} = 1', 'it uses nope, which is not a question of the survey'],
    ['${int} = ${one}', 'it compares two questions'],
    ['${day} > today()', 'it calls today'],
    ['${int} + 1 > 3', 'it has a calculation'],
    ["selected(${many}, 'zed')", 'it never holds'],
    ["${many} = 'a b'", 'the order of several choices'],
    ['count-selected(${many}) > 1', 'it counts choices or characters'],
    ['count-selected(${txt}) > 1', 'it counts choices or characters'],
    ['count-selected(${one}) > 1', 'it never holds'],
    ["count-selected(${many}) = ''", 'it never holds'],
    ['int(${dec}) = 5', 'it calls int'],
    ["number(${txt}) = ''", 'it never holds'],
    ["number(${day}) = '5'", 'it compares a date with something else'],
    ["selected(number(${txt}), '5')", 'selected is applied to something that is not a question'],
    ['int(${txt}) > 5', 'it calls int'],
    ['position(..) = 1', 'at character'],
    ["./source = 'user'", 'at character 1'],
    ["regex(${txt}, '(?=a)')", 'the pattern is not supported'],
    ['false()', 'it never holds'],
    ["${int} = 'x'", 'it never holds'],
    ['if(${int} > 1, 2, 3) = 2', 'it calls if'],
    ["${day} > '2024-01-01'", 'it compares a date with something else'],
    ["${day} = 'date 2024-01-01'", 'it compares a date with something else'],
    ["${txt} = date('2024-01-01')", 'it compares a date with something else'],
    ["${one} = date('2024-01-01')", 'it compares a date with something else'],
    ["${many} = date('2024-01-01')", 'it compares a date with something else'],
    ["${int} = date('2024-01-01')", 'it compares a date with something else'],
    ["string-length(${txt}) > date('2024-01-01')", 'it compares a date with something else'],
    ["${day} > date('tomorrow')", 'it compares a date with something else'],
    ["${day} > date('2024-02-30')", 'the value must be a date'],
    ["${day} = '2024-13-01'", 'the value must be a date'],
    ['${int}', 'a value is used as a condition'],
    ["${one} = 'a' and", 'at the end of the expression'],
  ])('%s is kept with the reason, and the question is always shown', async (relevant, reason) => {
    const { isShown, reason: reported } = await shownBy(relevant);
    expect(reported).toContain(reason);
    expect(isShown({})).toBe(true);
  });
});
