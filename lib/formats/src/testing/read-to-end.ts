import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type {
  AnsweredSurvey,
  ConvertedSurvey,
  ResponseFileReader,
  ResponseReadOptions,
  SurveyFileReader,
  SurveyReadOptions,
} from '../core/reader.ts';
import { checkIds, type FileResponse } from '../core/responses/response.ts';
import { fileOf } from '../files/import-file.ts';
import { DETECT_ALL } from '../tables/table-options.ts';

interface ReadFile {
  readonly responses: readonly FileResponse[];
  readonly warnings: readonly FieldProblem[];
}

/** Reads a survey file to its end, like an import. */
export async function readSurveyToEnd(
  reader: SurveyFileReader,
  contents: string | Uint8Array,
  options: Partial<SurveyReadOptions> = {},
): Promise<Omit<ConvertedSurvey, 'responses'> & ReadFile> {
  const warnings: FieldProblem[] = [];
  const warn = (warning: FieldProblem) => void warnings.push(warning);
  const { responses, ...survey } = await reader(fileOf(contents), {
    title: '',
    language: 'en',
    table: DETECT_ALL,
    ...options,
    warn,
  });
  return { ...survey, responses: await Array.fromAsync(checkIds(responses?.(warn) ?? [])), warnings };
}

/** Reads a response file to its end, like an import. */
export async function readResponsesToEnd(
  reader: ResponseFileReader,
  contents: string | Uint8Array,
  survey: AnsweredSurvey,
  options: Partial<ResponseReadOptions> = {},
): Promise<ReadFile> {
  const warnings: FieldProblem[] = [];
  const warn = (warning: FieldProblem) => void warnings.push(warning);
  const responses = checkIds(
    reader(fileOf(contents), survey, { unmask: undefined, table: DETECT_ALL, ...options, warn }),
  );
  return { responses: await Array.fromAsync(responses), warnings };
}
