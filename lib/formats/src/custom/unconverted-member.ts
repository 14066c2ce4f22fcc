import type { JsonValue } from '@bufbuild/protobuf';
import type { FieldProblem } from '@survey/runtime/errors/app-error';

/** A member of the file without an equivalent. */
export interface UnconvertedMember {
  readonly name: string;
  readonly path: string;
  readonly value: JsonValue;
}

export function toWarning({ name, path }: UnconvertedMember): FieldProblem {
  return { path, code: 'KEPT_AS_SOURCE_DATA', detail: `${name} has no equivalent and is kept in source_data` };
}
