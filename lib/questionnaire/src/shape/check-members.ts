import { findBadMetadata, findUnknownMembers } from '../definition/unknown-members.ts';
import type { JsonObject } from '../json.ts';
import type { Report } from '../lint/report.ts';

/** Checks that a definition has no unknown members; free content belongs in `metadata`. */
export const checkMembers = (definition: JsonObject, report: Report): void => {
  for (const path of findBadMetadata(definition)) report('WRONG_TYPE', path, 'metadata must be an object');
  for (const { path, detail, nearest } of findUnknownMembers(definition)) {
    const advice = nearest === undefined ? 'free content belongs in metadata' : `did you mean "${nearest}"?`;
    report('UNKNOWN_MEMBER', path, `${detail}; ${advice}`);
  }
};
