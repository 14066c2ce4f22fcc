import { AppError } from '@survey/runtime/errors/app-error';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';
import { invalidImport } from '../files/invalid-import.ts';
import type { ReadSurvey } from '../sources/reader.ts';
import { checkValues } from '../surveys/survey-settings-mapper.ts';

/**
 * Throws `INVALID_IMPORT` for an invalid value of a setting. The survey service checks how settings fit together and
 * fit the definition.
 */
export function checkSettings({ payload, inFile }: ReadSurvey, checkMessage: MessageCheck): void {
  try {
    checkValues(payload['settings'] ?? {}, checkMessage);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalidImport(error.errors.map((problem) => inFile({ ...problem, path: `/settings${problem.path}` })));
  }
}
