import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { isOwnMessage } from './json-form.ts';
import type { Fail, Route } from './route.ts';

/** Checks an operation with a merge patch (RFC 7396): it needs an update mask, and members that the mask can name. */
export function checkPatch({ httpMethod, body, members, updateMask }: Route, fail: Fail): void {
  if (httpMethod !== 'PATCH') {
    if (updateMask !== undefined) fail(`only a patch has an ${updateMask.name}`);
    return;
  }
  if (updateMask?.fieldKind !== 'message' || updateMask.message.typeName !== 'google.protobuf.FieldMask')
    fail('a patch has an update_mask of the type google.protobuf.FieldMask');
  if (body !== '*') fail('a patch has a body of *');
  const map = findMap(members);
  if (map !== undefined)
    fail(`${map.parent.typeName}.${map.name} is a map: a patch cannot name its entries; use a google.protobuf.Struct`);
}

function findMap(fields: readonly DescField[], visited: Set<DescMessage> = new Set()): DescField | undefined {
  for (const field of fields) {
    if (field.fieldKind === 'map') return field;
    if (field.fieldKind !== 'message' || !isOwnMessage(field.message) || visited.has(field.message)) continue;
    visited.add(field.message);
    const inside = findMap(field.message.fields, visited);
    if (inside !== undefined) return inside;
  }
  return undefined;
}
