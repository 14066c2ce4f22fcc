import type { JsonObject } from '@bufbuild/protobuf';
import { itemsOf } from '@survey/questionnaire/json';
import { AppError } from '@survey/runtime/errors/app-error';
import { findResponseReader, findSurveyReader } from '../sources.ts';
import { areNamedAlike, CORPUS_FOLDERS, type CorpusFile, corpusFiles, formatOf } from './corpus.ts';
import { readResponseFile, readSurveyFile, validateResponses } from './read-files.ts';

const HEADER = [
  'file',
  'questions',
  'logic',
  'types',
  'conditions',
  'not imported',
  'other warnings',
  'lint',
  'responses',
];
const OTHERS_HEADER = ['file', 'read as', 'responses', 'stored', 'rejected', 'reason'];
const INTRODUCTION = `# Imports of published files

Results of importing surveys and responses that people have published, from other tools. Use it to estimate what an import of your files keeps. [Imports](import.md) has the rules.

| column | |
|---|---|
| questions, logic | Questions and logic entries after the import. |
| types | Warnings \`NO_SUCH_TYPE\`: question types without an equivalent. |
| conditions | Warnings \`LOGIC_NOT_CONVERTED\`. |
| not imported | Warnings \`NOT_IMPORTED\`. |
| other warnings | Warnings with other codes. |
| lint | \`passes\`, or the [lint codes](lint-codes.md) that block publishing. |
| responses | Responses stored and rejected, with the error codes. |

The second table of each tool has the other files: responses, and files that cannot be imported.

| column | |
|---|---|
| read as | \`responses to\` a survey of the first table; \`table of answers\` for responses without their survey in the collection: a survey is made of them (\`source=table\`). |
| responses, stored, rejected | Numbers of responses. |
| reason | Error codes of rejected responses, or the error of the file. |

To generate this page, run this command on a machine that has the files: \`npx vitest run --project unit lib/formats/src/corpus-report -u\`.
`;

interface Survey {
  readonly name: string;
  readonly payload: JsonObject;
}

/** The page with the result of importing each file of the corpus; undefined without the corpus. */
export async function writeCorpusReport(): Promise<string | undefined> {
  const parts = [INTRODUCTION];
  for (const [folder, source] of CORPUS_FOLDERS) {
    const files = corpusFiles(folder);
    if (files.length > 0) parts.push(`## ${folder}\n\n${await reportFolder(source, files)}`);
  }
  return parts.length === 1 ? undefined : parts.join('\n');
}

async function reportFolder(source: string, files: readonly CorpusFile[]): Promise<string> {
  const surveys: Survey[] = [];
  const rows: string[][] = [];
  const others: (readonly [CorpusFile, string])[] = [];
  for (const file of files) {
    const read = findSurveyReader({ source, format: formatOf(file) });
    const survey =
      read === undefined
        ? `unsupported format ${formatOf(file)}`
        : await readSurveyFile(read, file.read()).catch(reasonOf);
    if (typeof survey === 'string') {
      others.push([file, survey]);
      continue;
    }
    surveys.push({ name: file.name, payload: survey.payload });
    const count = (code: string) => survey.codes.filter((one) => one === code).length;
    const losses = ['NO_SUCH_TYPE', 'LOGIC_NOT_CONVERTED', 'NOT_IMPORTED'].map(count);
    const rest = survey.codes.length - losses.reduce((sum, one) => sum + one, 0);
    const responses = await Array.fromAsync(survey.responses?.(() => {}) ?? []);
    rows.push([
      file.name,
      String(survey.questions.size),
      String(itemsOf(survey.survey['logic']).length),
      ...losses.map(String),
      String(rest),
      survey.problems.length === 0 ? 'passes' : tally(survey.problems.map(({ code }) => code)),
      responses.length === 0 ? '' : outcomeOf(validateResponses(responses, survey.payload)),
    ]);
  }
  const rejected = await Promise.all(
    others.map(
      async ([file, reason]) =>
        (await asResponses(source, file, surveys)) ?? (await asTable(file)) ?? toRow(file, reason),
    ),
  );
  const written = [toTable(HEADER, rows), toTable(OTHERS_HEADER, rejected)];
  return `${written.filter((table) => table !== '').join('\n\n')}\n`;
}

/** A table in Markdown; empty without rows. */
function toTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.map(toCell).join(' | ')} |`).join('\n');
}

/** The result of reading a file as responses to the survey with a similar name that gets the most answers. */
async function asResponses(
  source: string,
  file: CorpusFile,
  surveys: readonly Survey[],
): Promise<readonly string[] | undefined> {
  const read = findResponseReader({ source, format: formatOf(file) });
  const alike = surveys.filter((survey) => areNamedAlike(survey, file));
  if (read === undefined) return undefined;
  let best: { readonly answers: number; readonly row: readonly string[] } | undefined;
  for (const { name, payload } of alike) {
    const found = await readResponseFile(read, file.read(), payload).catch(reasonOf);
    if (typeof found === 'string') continue;
    const answers = found.stored.reduce((sum, data) => sum + Object.keys(data).length, 0);
    if (answers > (best?.answers ?? 0)) best = { answers, row: toResponsesRow(file, `responses to ${name}`, found) };
  }
  return best?.row;
}

/** The result of making a survey of a table of answers; undefined for other files. Workbooks here are forms. */
async function asTable(file: CorpusFile): Promise<readonly string[] | undefined> {
  const read = findSurveyReader({ source: 'table', format: 'csv' });
  if (read === undefined || formatOf(file) !== 'csv') return undefined;
  const survey = await readSurveyFile(read, file.read()).catch(reasonOf);
  if (typeof survey === 'string') return toRow(file, survey);
  const responses = await Array.fromAsync(survey.responses?.(() => {}) ?? []).catch(reasonOf);
  if (typeof responses === 'string') return toRow(file, responses);
  const name = `table of answers, ${survey.questions.size} questions`;
  return toResponsesRow(file, name, { responses, ...validateResponses(responses, survey.payload) });
}

interface ReadResponses {
  readonly responses: readonly unknown[];
  readonly stored: readonly unknown[];
  readonly failures: readonly string[];
}

function toResponsesRow({ name }: CorpusFile, readAs: string, { responses, stored, failures }: ReadResponses) {
  const codes = failures.map((failure) => failure.split(' ')[0] ?? '');
  return [
    name,
    readAs,
    ...[responses.length, stored.length, responses.length - stored.length].map(String),
    tally(codes),
  ];
}

function toRow({ name }: CorpusFile, reason: string): readonly string[] {
  return [name, '', '', '', '', reason];
}

function outcomeOf({
  stored,
  failures,
}: {
  readonly stored: readonly unknown[];
  readonly failures: readonly string[];
}): string {
  const codes = failures.map((failure) => failure.split(' ')[0] ?? '');
  return `${stored.length} stored${codes.length === 0 ? '' : `, rejected for ${tally(codes)}`}`;
}

/** `A ×2, B` */
function tally(codes: readonly string[]): string {
  return [...Map.groupBy(codes, (code) => code)]
    .map(([code, same]) => (same.length === 1 ? code : `${code} ×${same.length}`))
    .toSorted()
    .join(', ');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof AppError) || error.code !== 'INVALID_IMPORT') throw error;
  const [first] = error.errors ?? [];
  return first === undefined ? error.message : `${first.path === '' ? '' : `${first.path}: `}${first.detail}`;
}

function toCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}
