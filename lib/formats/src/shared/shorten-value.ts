import type { JsonValue } from '@bufbuild/protobuf';
import { shorten } from '@survey/questionnaire/shorten';

/** Maximum characters of a value that is not an answer, as JSON. */
const MAX_KEPT = 10_000;

/** A value for the metadata of a response. A long one becomes the beginning of its JSON text. */
export function shortenValue(value: JsonValue): JsonValue {
  const text = JSON.stringify(value);
  return text.length <= MAX_KEPT ? value : shorten(text, MAX_KEPT);
}
