import type { DescField } from '@bufbuild/protobuf';
import { isOwnMessage } from './json-form.ts';

/**
 * The paths that a merge patch (RFC 7396) holds, for the request's `google.protobuf.FieldMask`: `options.title` for
 * `{"options":{"title":null}}`. A member that is null, a list or free-form is a path itself; a handler merges a
 * free-form one into what it has by `mergePatch`.
 */
export function patchPaths(members: readonly DescField[], patch: Readonly<Record<string, unknown>>): string[] {
  return members
    .filter(({ name }) => Object.hasOwn(patch, name))
    .flatMap(({ name, fieldKind, message }) => {
      const value = patch[name];
      if (fieldKind !== 'message' || !isOwnMessage(message) || value === null) return [name];
      // That it is an object was checked when the message was made of it.
      return patchPaths(message.fields, value as Record<string, unknown>).map((path) => `${name}.${path}`);
    });
}
