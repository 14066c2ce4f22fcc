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
const INTRODUCTION = `# Imports of published files

Results of importing surveys and responses that people have published, from eight tools. Use it to estimate what an import of your files keeps. [Imports](import.md) has the rules.

| column | |
|---|---|
| questions, logic | Questions and logic entries after the import. |
| types | Warnings \`NO_SUCH_TYPE\`: question types without an equivalent. |
| conditions | Warnings \`LOGIC_NOT_CONVERTED\`. |
| not imported | Warnings \`NOT_IMPORTED\`. |
| other warnings | Warnings with other codes. |
| lint | \`passes\`, or the [lint codes](lint-codes.md) that block publishing. |
| responses | Responses stored and rejected, with the error codes. |

Rejected files are listed below each table, with the reason.

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
  const table = [HEADER, HEADER.map(() => '---'), ...rows].map((cells) => `| ${cells.map(toCell).join(' | ')} |`);
  const rejected = await Promise.all(
    others.map(async ([file, reason]) => toLine(source, file, reason, await asResponses(source, file, surveys))),
  );
  return [...(rows.length === 0 ? [] : [...table, '']), ...rejected, ''].join('\n');
}

/** The result of reading a file as responses to the survey with a similar name that gets the most answers. */
async function asResponses(source: string, file: CorpusFile, surveys: readonly Survey[]): Promise<string | undefined> {
  const read = findResponseReader({ source, format: formatOf(file) });
  const alike = surveys.filter((survey) => areNamedAlike(survey, file));
  if (read === undefined) return undefined;
  let best = { answers: 0, line: '' };
  for (const { name, payload } of alike) {
    const found = await readResponseFile(read, file.read(), payload).catch(reasonOf);
    if (typeof found === 'string') continue;
    const answers = found.stored.reduce((sum, data) => sum + Object.keys(data).length, 0);
    if (answers > best.answers) best = { answers, line: `responses to ${name}: ${outcomeOf(found)}` };
  }
  return best.answers === 0 ? undefined : best.line;
}

function toLine(source: string, file: CorpusFile, reason: string, responses: string | undefined): string {
  const isTable = formatOf(file) === 'csv' && findResponseReader({ source, format: 'csv' }) !== undefined;
  const rejection = isTable ? 'responses to a survey that is not in the collection' : `rejected: ${reason}`;
  return `- ${file.name}: ${responses ?? rejection}`;
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
