import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { itemsOf } from '@survey/questionnaire/json';
import { AppError } from '@survey/runtime/errors/app-error';
import { type AnswerPolicy, createFitResponse, isLeftOut } from '../core/responses/fit.ts';
import { type FileResponse, isRejected } from '../core/responses/response.ts';
import { findResponseReader, findSurveyReader } from '../sources.ts';
import { areNamedAlike, CORPUS_FOLDERS, type CorpusFile, corpusFiles, formatOf } from './corpus.ts';
import { readResponseFile, readSurveyFile } from './read-files.ts';

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
const OTHERS_HEADER = ['file', 'read as', 'responses', 'whole', 'in part', 'rejected', 'reasons'];
/** The default policy for files of other tools. */
const POLICY: AnswerPolicy = { onInvalidAnswer: 'keep', partialResponses: 'in_progress', includeTests: false };
const INTRODUCTION = `# Imports of published files

Results of importing surveys and responses that people have published, from other tools. Use it to estimate what an import of your files keeps. [Imports](import.md) has the rules.

| column | |
|---|---|
| questions, logic | Questions and logic entries after the import. |
| types | Warnings \`NO_SUCH_TYPE\`: question types without an equivalent. |
| conditions | Warnings \`LOGIC_NOT_CONVERTED\`. |
| not imported | Warnings \`NOT_IMPORTED\`. |
| other warnings | Warnings with other codes. |
| lint | \`passes\`, or the [lint codes](../lib/questionnaire/src/lint/lint-codes.ts) that block publishing. |
| responses | Responses stored whole, in part and rejected, with the codes of values that are not stored as answers. |

The second table of each tool has the other files: responses, and files that cannot be imported.

| column | |
|---|---|
| read as | \`responses to\` a survey of the first table; \`table of answers\` for responses without their survey in the collection: a survey is made of them (\`source=table\`). |
| responses, whole, in part, rejected | Numbers of responses. Previews and tests are in none of the last three. |
| reasons | Codes of values that are not stored as answers, and of rejected responses; or the error of the file. |

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
      responses.length === 0 ? '' : outcomeOf(judge(responses, survey.payload)),
    ]);
  }
  const otherRows = await Promise.all(
    others.map(
      async ([file, reason]) =>
        (await asResponses(source, file, surveys)) ?? (await asTable(file)) ?? toRow(file, reason),
    ),
  );
  const written = [toTable(HEADER, rows), toTable(OTHERS_HEADER, otherRows)];
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
    const judged = judge(found.responses, payload);
    if (judged.answers <= (best?.answers ?? 0)) continue;
    best = { answers: judged.answers, row: toResponsesRow(file, `responses to ${name}`, judged) };
  }
  return best?.row;
}

/** The result of making a survey of a table of answers; undefined for other files. Corpus workbooks are forms. */
async function asTable(file: CorpusFile): Promise<readonly string[] | undefined> {
  const read = findSurveyReader({ source: 'table', format: 'csv' });
  if (read === undefined || formatOf(file) !== 'csv') return undefined;
  const survey = await readSurveyFile(read, file.read()).catch(reasonOf);
  if (typeof survey === 'string') return toRow(file, survey);
  const responses = await Array.fromAsync(survey.responses?.(() => {}) ?? []).catch(reasonOf);
  if (typeof responses === 'string') return toRow(file, responses);
  const name = `table of answers, ${survey.questions.size} questions`;
  return toResponsesRow(file, name, judge(responses, survey.payload));
}

interface Judged {
  readonly total: number;
  readonly whole: number;
  readonly inPart: number;
  readonly rejected: number;
  /** Number of stored answers. */
  readonly answers: number;
  /** Codes of omissions and rejections. */
  readonly codes: readonly string[];
}

/** Judges responses like an import. */
function judge(responses: readonly FileResponse[], payload: JsonObject): Judged {
  const fit = createFitResponse({ payload, definition: compile(payload), policy: POLICY });
  const judged = responses.map(fit);
  const rejected = judged.filter(isRejected);
  const stored = judged.flatMap((one) => (isRejected(one) || isLeftOut(one) ? [] : [one]));
  const inPart = stored.filter(({ lacksValues }) => lacksValues).length;
  return {
    total: responses.length,
    whole: stored.length - inPart,
    inPart,
    rejected: rejected.length,
    answers: stored.reduce((sum, { answers }) => sum + Object.keys(answers).length, 0),
    codes: [...rejected, ...stored.flatMap(({ omissions }) => omissions)].map(({ code }) => code),
  };
}

function toResponsesRow({ name }: CorpusFile, readAs: string, { total, whole, inPart, rejected, codes }: Judged) {
  return [name, readAs, ...[total, whole, inPart, rejected].map(String), tally(codes)];
}

function toRow({ name }: CorpusFile, reason: string): readonly string[] {
  return [name, '', '', '', '', '', reason];
}

function outcomeOf({ whole, inPart, rejected, codes }: Judged): string {
  const counts = [`${whole} whole`, inPart > 0 && `${inPart} in part`, rejected > 0 && `${rejected} rejected`];
  return [counts.filter(Boolean).join(', '), tally(codes)].filter((text) => text !== '').join(': ');
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
