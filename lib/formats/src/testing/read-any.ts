import type { JsonObject } from '@bufbuild/protobuf';
import { checkShape } from '@survey/questionnaire/check-shape';
import { compile } from '@survey/questionnaire/compile';
import { AppError } from '@survey/runtime/errors/app-error';
import type { ResponseFileReader, SurveyFileReader } from '../core/reader.ts';
import type { FileResponse } from '../core/responses/response.ts';
import { isRejected } from '../core/responses/response.ts';
import { fileOf } from '../files/import-file.ts';
import { DETECT_ALL } from '../tables/table-options.ts';

export type Outcome = 'read' | 'rejected';

/** Reads a survey and its responses like an import. Fails on any error except `INVALID_IMPORT`. */
export async function tryAsSurvey(read: SurveyFileReader, contents: Uint8Array): Promise<Outcome> {
  return attempt(async () => {
    const { payload, toFileProblem, responses } = await read(fileOf(contents), {
      title: '',
      language: 'en',
      table: DETECT_ALL,
      warn: () => {},
    });
    for (const problem of checkShape(payload)) toFileProblem(problem);
    await validateAll(
      responses?.(() => {}),
      payload,
    );
  });
}

/** Reads responses to a survey in the same way. Returns the number of responses with valid answers. */
export async function tryAsResponses(
  read: ResponseFileReader,
  contents: Uint8Array,
  payload: JsonObject,
): Promise<{ readonly outcome: Outcome; readonly answered: number }> {
  const definition = compile(payload);
  let answered = 0;
  const outcome = await attempt(async () => {
    const responses = read(
      fileOf(contents),
      { payload, definition },
      { unmask: undefined, table: DETECT_ALL, warn: () => {} },
    );
    answered = await validateAll(responses, payload);
  });
  return { outcome, answered };
}

async function validateAll(responses: AsyncIterable<FileResponse> | undefined, payload: JsonObject): Promise<number> {
  const { validate } = compile(payload);
  let answered = 0;
  for await (const response of responses ?? []) {
    if (isRejected(response)) continue;
    // Convert to JSON and back, because an import of values that JSON cannot represent would fail later.
    const { data, errors } = validate(JSON.parse(JSON.stringify(response.answers)), { lenient: true });
    if (errors.length === 0 && Object.keys(data).length > 0) answered += 1;
  }
  return answered;
}

async function attempt(read: () => Promise<void>): Promise<Outcome> {
  try {
    await read();
    return 'read';
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_IMPORT') return 'rejected';
    throw error;
  }
}
