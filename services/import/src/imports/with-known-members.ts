import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { findUnknownMembers, moveUnknownMembers } from '@survey/questionnaire/definition/unknown-members';
import type { ReadSurvey, Warn } from '../sources/reader.ts';
import { toShallow } from '../sources/source-data.ts';

/** The survey of a file with its unknown members in `metadata`, and a warning for each. */
export function withKnownMembers(read: ReadSurvey, warn: Warn): ReadSurvey {
  const { inFile } = read;
  for (const { path, detail, nearest } of findUnknownMembers({ survey: read.payload['survey'] })) {
    const advice = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
    warn(inFile({ path, code: 'KEPT_AS_METADATA', detail: `${detail} and is kept in metadata${advice}` }));
  }
  // Parts of a JSON payload stay JSON.
  const payload = moveUnknownMembers(read.payload, (value) => toShallow(value as JsonValue)) as JsonObject;
  return { ...read, payload };
}
