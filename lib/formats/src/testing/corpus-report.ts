import type { JsonObject } from '@bufbuild/protobuf';
import { toCsvLine } from '@survey/questionnaire/columns/csv';
import { compile } from '@survey/questionnaire/compile';
import { itemsOf } from '@survey/questionnaire/json';
import { AppError } from '@survey/runtime/errors/app-error';
import { type AnswerPolicy, createFitResponse, isLeftOut } from '../core/responses/fit.ts';
import { type FileResponse, isRejected } from '../core/responses/response.ts';
import { findResponseReader, findSurveyReader } from '../sources.ts';
import { areNamedAlike, CORPUS_FOLDERS, type CorpusFile, corpusFiles, formatOf } from './corpus.ts';
import { readResponseFile, readSurveyFile } from './read-files.ts';

/** The default policy for files of other tools. */
const POLICY: AnswerPolicy = { onInvalidAnswer: 'keep', partialResponses: 'in_progress', includeTests: false };
const COLUMNS = [
  'tool',
  'file',
  'read as',
  'questions',
  'logic',
  'types',
  'conditions',
  'not imported',
  'other warnings',
  'lint',
  'responses',
  'whole',
  'in part',
  'rejected',
  'codes',
] as const;

/**
 * The result of importing a file. `types`, `conditions` and `not imported` count the warnings `NO_SUCH_TYPE`,
 * `LOGIC_NOT_CONVERTED` and `NOT_IMPORTED`. `codes` are those of values that are not stored as answers, of rejected
 * responses, or the error of a file that is not read. Previews and tests are in `responses` only.
 */
type Result = Readonly<Partial<Record<(typeof COLUMNS)[number], string | number>>>;

interface Survey {
  readonly name: string;
  readonly payload: JsonObject;
}

/** Imports each file of the corpus. No results without the corpus. */
export async function importCorpus(): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const [tool, source] of CORPUS_FOLDERS)
    results.push(...(await importFolder(source, corpusFiles(tool))).map((result) => ({ tool, ...result })));
  return results;
}

/** A line for each file. */
export function toCsv(results: readonly Result[]): string {
  return [COLUMNS, ...results.map((result) => COLUMNS.map((column) => result[column]))]
    .map((cells) => toCsvLine(cells, { maskFormulas: false }).replace('\r\n', '\n'))
    .join('');
}

/** A table in Markdown with a line for each tool. */
export function toToolTable(results: readonly Result[]): string {
  const rows = [...Map.groupBy(results, ({ tool }) => tool)].map(([tool, files]) => {
    const sum = (column: 'questions' | 'logic' | 'whole' | 'in part' | 'rejected') =>
      files.reduce((total, file) => total + Number(file[column] ?? 0), 0);
    const read = files.filter((file) => file['read as'] !== undefined).length;
    return [
      tool,
      `${read}/${files.length}`,
      sum('questions'),
      sum('logic'),
      sum('whole'),
      sum('in part'),
      sum('rejected'),
    ];
  });
  const header = ['files of', 'read', 'questions', 'logic', 'whole responses', 'in part', 'rejected'];
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

async function importFolder(source: string, files: readonly CorpusFile[]): Promise<readonly Result[]> {
  const surveys: Survey[] = [];
  const results: Result[] = [];
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
    const losses = {
      types: count('NO_SUCH_TYPE'),
      conditions: count('LOGIC_NOT_CONVERTED'),
      'not imported': count('NOT_IMPORTED'),
    };
    const responses = await Array.fromAsync(survey.responses?.(() => {}) ?? []);
    results.push({
      file: file.name,
      'read as': 'survey',
      questions: survey.questions.size,
      logic: itemsOf(survey.survey['logic']).length,
      ...losses,
      'other warnings': Object.values(losses).reduce((rest, one) => rest - one, survey.codes.length),
      lint: survey.problems.length === 0 ? 'passes' : tally(survey.problems.map(({ code }) => code)),
      ...(responses.length > 0 && toCounts(judge(responses, survey.payload))),
    });
  }
  const otherResults = others.map(
    async ([file, reason]) =>
      (await asResponses(source, file, surveys)) ?? (await asTable(file)) ?? { file: file.name, codes: reason },
  );
  return [...results, ...(await Promise.all(otherResults))];
}

/** The result of reading a file as responses to the survey with a similar name that gets the most answers. */
async function asResponses(source: string, file: CorpusFile, surveys: readonly Survey[]): Promise<Result | undefined> {
  const read = findResponseReader({ source, format: formatOf(file) });
  const alike = surveys.filter((survey) => areNamedAlike(survey, file));
  if (read === undefined) return undefined;
  let best: { readonly answers: number; readonly result: Result } | undefined;
  for (const { name, payload } of alike) {
    const found = await readResponseFile(read, file.read(), payload).catch(reasonOf);
    if (typeof found === 'string') continue;
    const judged = judge(found.responses, payload);
    if (judged.answers <= (best?.answers ?? 0)) continue;
    const result = { file: file.name, 'read as': `responses to ${name}`, ...toCounts(judged) };
    best = { answers: judged.answers, result };
  }
  return best?.result;
}

/** The result of making a survey of a table of answers; undefined for other files. Corpus workbooks are forms. */
async function asTable(file: CorpusFile): Promise<Result | undefined> {
  const read = findSurveyReader({ source: 'table', format: 'csv' });
  if (read === undefined || formatOf(file) !== 'csv') return undefined;
  const survey = await readSurveyFile(read, file.read()).catch(reasonOf);
  if (typeof survey === 'string') return { file: file.name, codes: survey };
  const responses = await Array.fromAsync(survey.responses?.(() => {}) ?? []).catch(reasonOf);
  if (typeof responses === 'string') return { file: file.name, codes: responses };
  const counts = toCounts(judge(responses, survey.payload));
  return { file: file.name, 'read as': 'table of answers', questions: survey.questions.size, ...counts };
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

function toCounts({ total, whole, inPart, rejected, codes }: Judged): Result {
  return { responses: total, whole, 'in part': inPart, rejected, codes: tally(codes) };
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
  const reason = first === undefined ? error.message : `${first.path === '' ? '' : `${first.path}: `}${first.detail}`;
  return reason.replaceAll(/\s+/g, ' ');
}
