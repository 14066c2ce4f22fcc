import { readFileSync } from 'node:fs';
import { hostileFiles } from '@survey/formats/testing/hostile-files';
import { workbookWith } from '@survey/formats/testing/hostile-workbooks';
import { writeZip } from '@survey/formats/testing/write-zip';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';

/** Hostile import files of one format. */
interface HostileImports {
  readonly kind: 'surveys' | 'responses';
  readonly source: string;
  readonly format: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Names of files by outcome: the reply status, the state of the import if there is one, and the error codes. */
  readonly outcomes: Readonly<Record<string, readonly string[]>>;
}

interface Sound extends Pick<HostileImports, 'kind' | 'source' | 'format'> {
  /** The valid file from which hostile files are derived. */
  readonly file: Buffer;
  /** A file of another tool. */
  readonly foreign: Buffer;
}

const SOURCES = new URL('../../lib/formats/src/', import.meta.url);
const fixture = (path: string) => readFileSync(new URL(path, SOURCES));

const qsf = fixture('qualtrics/fixtures/kinds.qsf');
const lss = fixture('limesurvey/fixtures/kinds.lss');
const lsa = await writeZip({
  'survey_1.lss': lss,
  'survey_1_responses.lsr': fixture('limesurvey/fixtures/responses.lsr'),
});
const lunch = Buffer.from(JSON.stringify({ survey: lunchSurvey.survey }));
const csv = Buffer.from('question_id,question_type,question_title\nq,text,"What, now?"\n');
const response = JSON.stringify({ id: 'r1', data: lunchAnswers });

const NO_TEXT = ['random bytes', 'half of a character', 'UTF-16 without its second half'];
const OF_JSON_SURVEYS = {
  '422 INVALID_IMPORT BAD_ENCODING': NO_TEXT,
  '422 INVALID_IMPORT BAD_JSON': ['nothing', 'a megabyte of zeros', 'a cut off file', 'a foreign file'],
  '422 INVALID_IMPORT TOO_DEEP': ['deep arrays', 'deep objects'],
  '422 INVALID_IMPORT FORBIDDEN_NAME': ['a member __proto__'],
  '422 INVALID_IMPORT DUPLICATE_MEMBER': ['one name twice'],
  '422 INVALID_IMPORT NUMBER_OUT_OF_RANGE': ['a number beyond all'],
  '422 INVALID_IMPORT WRONG_TYPE': ['null'],
  '202 failed INVALID_IMPORT BAD_JSON': ['a text that does not end'],
  '202 failed INVALID_IMPORT TOO_LARGE': ['a million zeros'],
  '202 failed INVALID_IMPORT WRONG_TYPE': ['many members'],
};

export const hostileImports: readonly HostileImports[] = [
  made({ kind: 'surveys', source: 'custom', format: 'json', file: lunch, foreign: lss }, OF_JSON_SURVEYS),
  made({ kind: 'surveys', source: 'qualtrics', format: 'qsf', file: qsf, foreign: lss }, OF_JSON_SURVEYS),
  made(
    { kind: 'surveys', source: 'custom', format: 'csv', file: csv, foreign: qsf },
    {
      '422 INVALID_IMPORT BAD_ENCODING': NO_TEXT,
      '422 INVALID_IMPORT BAD_CSV': ['a quote that does not end', 'a foreign file'],
      '422 INVALID_IMPORT BAD_HEADER': ['a cut off file', 'a megabyte of zeros'],
      '422 INVALID_IMPORT UNKNOWN_TYPE': ['headings that are members of all objects'],
      '422 INVALID_DEFINITION NO_QUESTIONS': ['nothing', 'lines without end'],
      '202 failed INVALID_IMPORT BAD_CSV': ['a million columns', 'a megabyte in one cell'],
    },
  ),
  made(
    { kind: 'surveys', source: 'limesurvey', format: 'lss', file: lss, foreign: qsf },
    {
      '422 INVALID_IMPORT BAD_ENCODING': ['random bytes', 'UTF-16 without its second half'],
      '422 INVALID_IMPORT BAD_XML': [
        'nothing',
        'a megabyte of zeros',
        'half of a character',
        'entities in each other',
        'a file of the machine',
        'deep elements',
        'many attributes',
        'a cut off file',
        'a foreign file',
      ],
      '202 failed INVALID_IMPORT BAD_XML': ['a megabyte in an element'],
    },
  ),
  made(
    // A file that is no archive is read as a survey without responses.
    { kind: 'surveys', source: 'limesurvey', format: 'lsa', file: lsa, foreign: qsf },
    {
      '422 INVALID_IMPORT BAD_ENCODING': ['random bytes', 'UTF-16 without its second half', 'an archive in an archive'],
      '422 INVALID_IMPORT BAD_XML': [
        'nothing',
        'a megabyte of zeros',
        'half of a character',
        'a quote that does not end',
        'lines without end',
        'headings that are members of all objects',
        'entities in each other',
        'a file of the machine',
        'deep elements',
        'many attributes',
        'a megabyte in an element',
        'a foreign file',
      ],
      '422 INVALID_IMPORT BAD_ZIP': ['a cut off file'],
      '202 failed INVALID_IMPORT BAD_XML': ['a million columns', 'a megabyte in one cell'],
    },
  ),
  made(
    { kind: 'surveys', source: 'xlsform', format: 'xlsx', file: await workbookWith({}), foreign: qsf },
    {
      '422 INVALID_IMPORT BAD_ZIP': [
        'nothing',
        'a megabyte of zeros',
        ...NO_TEXT,
        'a text file',
        'a quote that does not end',
        'lines without end',
        'headings that are members of all objects',
        'a bomb',
        'too many files',
        'a name that leads out of the archive',
        'a file that unpacks to more than it says',
        'a cut off file',
        'a foreign file',
      ],
      '422 INVALID_IMPORT BAD_ENCODING': ['an archive in an archive'],
      '422 INVALID_IMPORT BAD_XML': ['entities', 'external entities', 'deep nesting', 'a megabyte in one cell'],
      '422 INVALID_IMPORT BAD_XLSX': [
        'another archive',
        'a missing sheet',
        'a sheet without a relationship',
        'a million columns',
        'more cells than allowed',
        'one long text in many cells',
        'half of a surrogate pair',
        'a NUL character',
        'too many sheets',
      ],
    },
  ),
  made(
    { kind: 'responses', source: 'custom', format: 'json', file: Buffer.from(`[${response}]`), foreign: lss },
    {
      '422 INVALID_IMPORT BAD_ENCODING': ['random bytes', 'UTF-16 without its second half'],
      '422 INVALID_IMPORT BAD_JSON': ['a cut off file'],
      '422 INVALID_IMPORT TOO_DEEP': ['deep arrays'],
      '422 INVALID_IMPORT WRONG_TYPE': [
        'nothing',
        'a megabyte of zeros',
        'half of a character',
        'null',
        'deep objects',
        'a member __proto__',
        'one name twice',
        'a number beyond all',
        'a foreign file',
      ],
      '202 failed INVALID_IMPORT WRONG_TYPE': ['a text that does not end', 'a million zeros', 'many members'],
    },
  ),
  made(
    // Each line is a response with its own errors.
    { kind: 'responses', source: 'custom', format: 'ndjson', file: Buffer.from(response), foreign: lss },
    {
      '422 INVALID_IMPORT BAD_ENCODING': NO_TEXT,
      '200 completed': ['nothing'],
      '200 failed BAD_JSON': ['a megabyte of zeros', 'a cut off file'],
      '200 failed TOO_DEEP': ['deep arrays', 'deep objects'],
      '200 failed FORBIDDEN_NAME': ['a member __proto__'],
      '200 failed DUPLICATE_MEMBER': ['one name twice'],
      '200 failed NUMBER_OUT_OF_RANGE': ['a number beyond all'],
      '200 failed WRONG_TYPE': ['null'],
      '202 failed BAD_JSON': ['a text that does not end', 'a foreign file'],
      '202 failed WRONG_TYPE': ['a million zeros'],
      '202 failed NOT_IMPORTED MORE_WARNINGS BAD_ANSWERS': ['many members'],
    },
  ),
  made(
    {
      kind: 'responses',
      source: 'custom',
      format: 'csv',
      file: Buffer.from('id,came,taste\n"r1, of a name that is cut off",yes,4\n'),
      foreign: qsf,
    },
    {
      '422 INVALID_IMPORT BAD_ENCODING': NO_TEXT,
      '422 INVALID_IMPORT BAD_CSV': ['a quote that does not end', 'a cut off file', 'a foreign file'],
      '422 INVALID_IMPORT BAD_HEADER': [
        'nothing',
        'a megabyte of zeros',
        'lines without end',
        'headings that are members of all objects',
      ],
      '202 failed INVALID_IMPORT BAD_CSV': ['a million columns', 'a megabyte in one cell'],
    },
  ),
];

/** Throws if an outcome names a file that does not exist, because a short run would not notice. */
function made({ foreign, ...target }: Sound, outcomes: HostileImports['outcomes']): HostileImports {
  const { kind, source, format } = target;
  const files = new Map([...hostileFiles(target), ['a foreign file', foreign] as const]);
  const unknown = Object.values(outcomes).flatMap((names) => names.filter((name) => !files.has(name)));
  if (unknown.length > 0) throw new Error(`there are no such hostile files of ${source} ${format}: ${unknown}`);
  return { kind, source, format, files, outcomes };
}
