import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ProjectSchema } from '@survey/proto/survey/surveys/v1/project_service_pb';
import type { CompleteFields } from '@survey/runtime/rpc/complete-fields';
import type { Project } from './project.ts';

export function toProjectMessage(project: Project): CompleteFields<typeof ProjectSchema> {
  const { id, name, description, createdAt, updatedAt, createdBy, updatedBy } = project;
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
