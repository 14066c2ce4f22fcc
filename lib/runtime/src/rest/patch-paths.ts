import type { DescField } from '@bufbuild/protobuf';
import { isMessageWithMembers } from './json-form.ts';

/**
 * Paths of a merge patch (RFC 7396) for the request's `google.protobuf.FieldMask`: `options.title` for
 * `{"options":{"title":null}}`. Members that are null, lists or free-form are not descended into; a handler merges
 * free-form ones with `mergePatch`.
 */
export function patchPaths(members: readonly DescField[], patch: Readonly<Record<string, unknown>>): string[] {
  return members
    .filter(({ name }) => Object.hasOwn(patch, name))
    .flatMap(({ name, fieldKind, message }) => {
      const value = patch[name];
      if (fieldKind !== 'message' || !isMessageWithMembers(message) || value === null) return [name];
      // `messageFromJson` has checked that the value is an object.
      return patchPaths(message.fields, value as Record<string, unknown>).map((path) => `${name}.${path}`);
    });
}
