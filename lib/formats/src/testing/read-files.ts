import { readFileSync } from 'node:fs';
import type { JsonObject } from '@bufbuild/protobuf';
import { checkShape } from '@survey/questionnaire/check-shape';
import { compile } from '@survey/questionnaire/compile';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import type { ResponseFileReader, SurveyFileReader } from '../core/reader.ts';
import { type AnswerPolicy, createFitResponse } from '../core/responses/fit.ts';
import { type FileResponse, isRejected } from '../core/responses/response.ts';
import { fileOf } from '../files/import-file.ts';
import { findResponseReader } from '../sources.ts';
import { DETECT_ALL, type TableOptions } from '../tables/table-options.ts';

/** Reads a file beside a test: `fixture(import.meta.url, 'kinds.qsf')`. */
export function fixture(testUrl: string, name: string): Uint8Array {
  return readFileSync(new URL(`fixtures/${name}`, testUrl));
}

/** A converted survey, prepared for assertions. */
export async function readSurveyFile(read: SurveyFileReader, contents: string | Uint8Array) {
  const warnings: FieldProblem[] = [];
  const { payload, toFileProblem, responses } = await read(fileOf(contents), {
    title: '',
    language: 'en',
    table: DETECT_ALL,
    warn: (warning) => warnings.push(warning),
  });
  const survey = payload['survey'] as JsonObject; // every reader returns a survey
  const questions = new Map(
    itemsOf(survey['pages'])
      .flatMap((page) => (isObject(page) ? itemsOf(page['questions']) : []))
      .map((question) => [String((question as JsonObject)['id']), question as JsonObject]),
  );
  const definition = compile(payload);
  const problems = [...checkShape(payload), ...definition.lint.errors].map(toFileProblem);
  return {
    payload,
    survey,
    questions,
    definition,
    warnings,
    problems,
    toFileProblem,
    responses,
    codes: warnings.map(({ code }) => code),
  };
}

export async function readResponseFile(
  read: ResponseFileReader,
  contents: string | Uint8Array,
  payload: JsonObject,
  unmask?: boolean,
  table: TableOptions = DETECT_ALL,
) {
  const warnings: FieldProblem[] = [];
  const definition = compile(payload);
  const responses: FileResponse[] = [];
  const options = { unmask, table, warn: (warning: FieldProblem) => warnings.push(warning) };
  for await (const response of read(fileOf(contents), { payload, definition }, options)) responses.push(response);
  return { responses, warnings, ...validateResponses(responses, payload) };
}

const KEEP: AnswerPolicy = { onInvalidAnswer: 'keep', partialResponses: 'in_progress', includeTests: false };

/** The responses of a file to a survey with these questions, judged like in an import that keeps invalid answers. */
export async function judgeFile(
  source: string,
  format: string,
  contents: string | Uint8Array,
  questions: readonly JsonObject[],
  columns: TableOptions['columns'] = [],
) {
  const warnings: FieldProblem[] = [];
  const survey = { title: 'T', supported_languages: ['en'], pages: [{ questions: [...questions] }] };
  const payload: JsonObject = { schema_version: '1.0', version: 1, survey };
  const definition = compile(payload);
  const read = findResponseReader({ source, format });
  if (read === undefined) throw new Error(`There is no reader of responses of ${source} ${format}`);
  const table = { ...DETECT_ALL, columns };
  const options = { unmask: undefined, table, warn: (warning: FieldProblem) => warnings.push(warning) };
  const fit = createFitResponse({ payload, definition, policy: KEEP });
  const judged = (await Array.fromAsync(read(fileOf(contents), { payload, definition }, options))).map(fit);
  return { judged, warnings, codes: warnings.map(({ code }) => code) };
}

/** The validated answers of finished responses, and the errors of others. */
export function validateResponses(responses: readonly FileResponse[], payload: JsonObject) {
  const definition = compile(payload);
  const fit = createFitResponse({ payload, definition, policy: KEEP });
  const stored: JsonObject[] = [];
  const failures: string[] = [];
  for (const response of responses) {
    if (isRejected(response)) {
      failures.push(`${response.code} ${response.detail}`);
      continue;
    }
    const { status, unread: [unread] = [] } = response;
    if (status !== undefined || unread !== undefined) {
      failures.push(
        status === undefined ? `${unread?.code} ${unread?.name} ${unread?.detail}` : `UNFINISHED ${status}`,
      );
      continue;
    }
    const { data, errors } = definition.validate(response.answers, { lenient: true, inactive: true });
    const judged = fit(response);
    if (isRejected(judged) && judged.code === 'NO_ANSWERS' && errors.every(({ code }) => code === 'REQUIRED')) {
      failures.push(`${judged.code} ${judged.detail}`);
      continue;
    }
    if (errors.length === 0) stored.push(data as JsonObject);
    failures.push(...errors.map(({ code, path, detail }) => `${code} ${path} ${detail}`));
  }
  return { stored, failures };
}

/** The errors of a rejected file. Fails if it is stored, or rejected with another error. */
export async function rejectionOf(reading: Promise<unknown>): Promise<readonly FieldProblem[]> {
  const error = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof AppError && error.code === 'INVALID_IMPORT') return error.errors ?? [];
  throw new Error('Expected INVALID_IMPORT', { cause: error });
}
