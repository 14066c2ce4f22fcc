import { HOSTILE_WORKBOOKS } from './hostile-workbooks.ts';
import { lss, table } from './write-lss.ts';
import { qsf } from './write-qsf.ts';
import { writeZip } from './write-zip.ts';

const MEGABYTE = 'x'.repeat(1_100_000);
const ANY_FORMAT: Readonly<Record<string, Buffer>> = {
  nothing: Buffer.alloc(0),
  'a megabyte of zeros': Buffer.alloc(1_000_000),
  'random bytes': Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 256)),
  'half of a character': Buffer.from([0x7b, 0xc3]),
  'UTF-16 without its second half': Buffer.from([0xff, 0xfe, 0x7b]),
};
const JSON_FILES: Readonly<Record<string, Buffer>> = {
  null: Buffer.from('null'),
  'deep arrays': Buffer.from('['.repeat(200_000)),
  'deep objects': Buffer.from('{"a":'.repeat(100_000)),
  'a text that does not end': Buffer.from(`{"title": "${MEGABYTE}`),
  'a million zeros': Buffer.from(`[${'0,'.repeat(999_999)}0]`),
  'many members': Buffer.from(`{${Array.from({ length: 120_000 }, (_, index) => `"a${index}":0`).join()}}`),
  'a member __proto__': Buffer.from('{"__proto__": {"a": 1}, "survey": {"__proto__": []}}'),
  'one name twice': Buffer.from('{"a": 1, "a": 2}'),
  'a number beyond all': Buffer.from('{"a": 1e999}'),
};
const TABLES: Readonly<Record<string, Buffer>> = {
  'a million columns': Buffer.from(`${'a,'.repeat(1_000_000)}\n`),
  'a megabyte in one cell': Buffer.from(`id,${MEGABYTE}\n1,2\n`),
  'a quote that does not end': Buffer.from(`id,"${'a\n'.repeat(100_000)}`),
  'lines without end': Buffer.from('\n'.repeat(200_000)),
  'headings that are members of all objects': Buffer.from('__proto__,constructor,toString\n1,2,3\n'),
};
const DOCUMENTS: Readonly<Record<string, Buffer>> = {
  'entities in each other': Buffer.from(
    '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><document>&b;</document>',
  ),
  'a file of the machine': Buffer.from(
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><document>&x;</document>',
  ),
  'deep elements': Buffer.from('<a>'.repeat(200_000)),
  'many attributes': Buffer.from(
    `<document ${Array.from({ length: 50_000 }, (_, index) => `a${index}=""`).join(' ')}/>`,
  ),
  'a megabyte in an element': Buffer.from(`<document>${MEGABYTE}</document>`),
};
const HOSTILE: Readonly<Record<string, Readonly<Record<string, Buffer>>>> = {
  json: JSON_FILES,
  qsf: JSON_FILES,
  ndjson: JSON_FILES,
  csv: TABLES,
  tsv: TABLES,
  lss: DOCUMENTS,
  lsa: {
    'an archive in an archive': await writeZip({ 'a.lss': await writeZip({ 'b.lss': '<a/>' }) }),
    ...TABLES,
    ...Object.fromEntries(
      await Promise.all(
        Object.entries(DOCUMENTS).map(async ([name, file]) => [name, await writeZip({ 'a.lss': file, 'a.lsr': file })]),
      ),
    ),
  },
  xlsx: {
    'an archive in an archive': await writeZip({ 'xl/workbook.xml': await writeZip({ 'a.xml': '<a/>' }) }),
    ...TABLES,
    ...Object.fromEntries(await Promise.all(HOSTILE_WORKBOOKS.map(async ([name, make]) => [name, await make()]))),
  },
};

const numbers = (length: number) => Array.from({ length }, (_, index) => `${index}`);
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

/** Small files of huge surveys: many rows times many columns, or a long list that many questions share. */
const AMPLIFIED: Readonly<Record<string, Buffer>> = {
  'surveyjs json': json({
    elements: [
      {
        type: 'matrixdropdown',
        name: 'm',
        rows: numbers(1_000),
        choices: numbers(1_000),
        columns: numbers(1_000).map((name) => ({ name })),
      },
    ],
  }),
  'xlsform csv': Buffer.from(
    [
      'survey,,\n,type,name',
      ...numbers(1_000).map((name) => `,select_one l,q${name}`),
      'choices,,\n,list_name,name',
      ...numbers(1_000).map((name) => `,l,${name}`),
    ].join('\n'),
  ),
  'limesurvey lss': Buffer.from(
    lss(
      [{ type: ';' }],
      table(
        'subquestions',
        ['0', '1'].flatMap((scale) =>
          numbers(1_200).map((name) => ({
            qid: `${scale}${name}1`,
            parent_qid: '1',
            gid: '1',
            type: 'T',
            title: `S${name}`,
            question: name,
            question_order: name,
            language: 'en',
            scale_id: scale,
          })),
        ),
      ),
    ),
  ),
  'qualtrics qsf': json(
    qsf([
      {
        QuestionType: 'Matrix',
        Selector: 'TE',
        SubSelector: 'Short',
        Choices: Object.fromEntries(numbers(1_000).map((name) => [name, { Display: name }])),
        Answers: Object.fromEntries(numbers(1_000).map((name) => [name, { Display: name }])),
      },
    ]),
  ),
  'formbricks json': json({
    name: 'A survey',
    questions: numbers(1_001).map((id) => ({ id, type: 'openText', headline: { default: 'x' } })),
  }),
  'surveymonkey json': json({
    id: '1',
    title: 'A survey',
    pages: [
      {
        id: 'p',
        questions: [
          {
            id: 'q',
            family: 'matrix',
            subtype: 'menu',
            headings: [{ heading: 'h' }],
            answers: {
              rows: numbers(1_000).map((id) => ({ id: `r${id}`, text: id })),
              cols: [
                { id: 'c', text: 'c', choices: numbers(1_000).map((id) => ({ id: `o${id}`, text: id })) },
                ...numbers(1_000).map((id) => ({ id: `c${id}`, text: id, choices: [{ id: `o${id}`, text: id }] })),
              ],
            },
          },
        ],
      },
    ],
  }),
};

const CHAIN = numbers(4_000).map(() => '1');
/** A flat condition that becomes a deeply nested tree. */
const CHAINED: Readonly<Record<string, Buffer>> = {
  'surveyjs json': json({ elements: [{ type: 'text', name: 'a', visibleIf: CHAIN.join('||') }] }),
  'xlsform csv': Buffer.from(`survey\n,type,name,relevant\n,text,a,${CHAIN.join(' or ')}\n`),
  'limesurvey lss': Buffer.from(lss([{}, { relevance: CHAIN.join('||') }])),
};

interface Target {
  readonly source: string;
  readonly format: string;
  readonly file: Buffer;
}

type NamedFiles = readonly (readonly [name: string, file: Buffer])[];

/** Malicious files for the reader of a format, and the first half of a valid one. */
export function hostileFiles({ format, file }: Target): NamedFiles {
  return Object.entries({ ...ANY_FORMAT, ...HOSTILE[format], 'a cut off file': file.subarray(0, file.length / 2) });
}

/** Surveys that expand beyond the limits; undefined for tools whose files cannot. */
export function amplifiedFile({ source, format }: Target): Buffer | undefined {
  return AMPLIFIED[`${source} ${format}`];
}

/** Surveys with a huge condition; undefined for tools without expressions. */
export function chainedFile({ source, format }: Target): Buffer | undefined {
  return CHAINED[`${source} ${format}`];
}
