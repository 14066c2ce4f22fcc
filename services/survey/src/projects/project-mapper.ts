import { ProjectSchema } from '@survey/proto/survey/surveys/v1/project_service_pb';
import { toMessageFields } from '@survey/runtime/rpc/message-fields';
import type { Project } from './project.ts';

export function toProjectMessage(project: Project) {
  return toMessageFields(ProjectSchema, project);
}
