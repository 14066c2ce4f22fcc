import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Project } from './project.ts';

export function toProjectMessage({ id, name, description, createdAt, updatedAt, createdBy, updatedBy }: Project) {
  return {
    id,
    name,
    description,
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    createdBy,
    updatedBy,
  };
}
