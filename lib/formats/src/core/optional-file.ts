import type { JsonObject } from '@bufbuild/protobuf';
import type { WarnOnce } from '../files/report.ts';
import { withSourceData } from './source-data.ts';

/** Makes a required file question optional. Otherwise all responses would fail, because files are not imported. */
export function makeFileOptional(question: JsonObject, path: string, warnOnce: WarnOnce): JsonObject {
  const { required, ...optional } = question;
  if (question['type'] !== 'file_upload' || required !== true) return question;
  const detail = 'File questions are not required, because responses are imported without files';
  warnOnce('required file', { path, code: 'KEPT_AS_SOURCE_DATA', detail });
  return withSourceData(optional, { required: true });
}
