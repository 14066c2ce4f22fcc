import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { isMessageWithMembers } from './json-form.ts';
import type { Fail, Route } from './route.ts';

/** Checks that a merge patch (RFC 7396) has an update mask, and no map, because a mask cannot name entries of a map. */
export function checkPatch({ httpMethod, body, members, updateMask }: Route, fail: Fail): void {
  if (httpMethod !== 'PATCH') {
    if (updateMask !== undefined) fail(`only PATCH can have an ${updateMask.name}`);
    return;
  }
  if (updateMask?.fieldKind !== 'message' || updateMask.message.typeName !== 'google.protobuf.FieldMask')
    fail('PATCH needs an update_mask of the type google.protobuf.FieldMask');
  if (body !== '*') fail('PATCH needs the body *');
  const map = findMap(members);
  if (map !== undefined)
    fail(
      `${map.parent.typeName}.${map.name} is a map: an update mask cannot name its entries; use a google.protobuf.Struct`,
    );
}

function findMap(fields: readonly DescField[], visited: Set<DescMessage> = new Set()): DescField | undefined {
  for (const field of fields) {
    if (field.fieldKind === 'map') return field;
    if (field.fieldKind !== 'message' || !isMessageWithMembers(field.message) || visited.has(field.message)) continue;
    visited.add(field.message);
    const inside = findMap(field.message.fields, visited);
    if (inside !== undefined) return inside;
  }
  return undefined;
}
