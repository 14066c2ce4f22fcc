import { AppError } from '@survey/runtime/errors/app-error';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';
import { invalidImport } from '../files/invalid-import.ts';
import type { ReadSurvey } from '../sources/reader.ts';
import { checkValues } from '../surveys/survey-settings-mapper.ts';

/**
 * Throws `INVALID_IMPORT` when a value of the settings is none that there is. What they have to do with each other, and
 * with the definition, the survey service tells.
 */
export function checkSettings({ payload, inFile }: ReadSurvey, checkMessage: MessageCheck): void {
  try {
    checkValues(payload['settings'] ?? {}, checkMessage);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalidImport(error.errors.map((problem) => inFile({ ...problem, path: `/settings${problem.path}` })));
  }
}
