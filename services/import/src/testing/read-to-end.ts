import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { fileOf } from '../files/import-file.ts';
import { type FileResponse, rejectUnusable } from '../responses/file-response.ts';
import { toResponseBatches } from '../responses/response-batches.ts';
import type {
  AnsweredSurvey,
  ReadSurvey,
  ResponseFileReader,
  ResponseReadOptions,
  SurveyFileReader,
  SurveyReadOptions,
} from '../sources/reader.ts';

interface ReadFile {
  readonly responses: readonly FileResponse[];
  readonly warnings: readonly FieldProblem[];
}

/** Reads a survey file to its end, like an import. */
export async function readSurveyToEnd(
  reader: SurveyFileReader,
  contents: string | Uint8Array,
  options: Partial<SurveyReadOptions> = {},
): Promise<Omit<ReadSurvey, 'responses'> & ReadFile> {
  const warnings: FieldProblem[] = [];
  const warn = (warning: FieldProblem) => void warnings.push(warning);
  const { responses, ...survey } = await reader(fileOf(contents), { title: '', language: 'en', ...options, warn });
  return { ...survey, responses: await toEnd(rejectUnusable(responses?.(warn) ?? [])), warnings };
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
  const responses = rejectUnusable(reader(fileOf(contents), survey, { unmask: undefined, ...options, warn }));
  return { responses: await toEnd(responses), warnings };
}

/** The responses that were read, except those too large to be sent. */
async function toEnd(found: AsyncIterable<FileResponse>): Promise<readonly FileResponse[]> {
  const read: FileResponse[] = [];
  async function* keeping() {
    for await (const response of found) {
      read.push(response);
      yield response;
    }
  }
  const batches = await Array.fromAsync(toResponseBatches(keeping(), { toStored: (response) => response, skip: 0 }));
  const items = batches.flat();
  return read.map((response, position) => {
    const sent = items[position];
    return sent === undefined || 'stored' in sent ? response : sent;
  });
}
