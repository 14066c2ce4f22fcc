import type { HandlerContext } from '@connectrpc/connect';
import {
  ProjectSchema,
  ProjectService as ProjectServiceDesc,
} from '@survey/proto/survey/surveys/v1/project_service_pb';
import type { Idempotency } from '@survey/runtime/idempotency/idempotency';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { setEtag, toEditTarget } from '@survey/runtime/rpc/if-match';
import { implement } from '@survey/runtime/rpc/implementation';
import { pickMasked, toMessageFields } from '@survey/runtime/rpc/message-fields';
import type { Project, ProjectService } from './project-service.ts';

interface Dependencies {
  readonly projects: ProjectService;
  readonly idempotency: Idempotency;
}

export function createProjectHandler({ projects, idempotency }: Dependencies) {
  return implement(ProjectServiceDesc, {
    async createProject(request, context) {
      const { name, description } = request;
      const { createProject } = ProjectServiceDesc.method;
      const result = await idempotency.run(createProject, request, context, async (id) =>
        reply(await projects.create(tenantCallOf(context), id, { name, description }), context),
      );
      context.responseHeader.set('location', `${API_PREFIX}/projects/${result.project?.id}`);
      return result;
    },

    async listProjects(page, context) {
      const { items, nextCursor } = await projects.list(tenantCallOf(context).tenantId, toPageQuery(page));
      return { projects: items.map(toProjectMessage), nextCursor: nextCursor ?? '' };
    },

    async getProject({ projectId }, context) {
      return reply(await projects.get(tenantCallOf(context).tenantId, projectId), context);
    },

    async updateProject({ projectId, updateMask, name, description }, context) {
      const change = pickMasked({ name, description }, updateMask);
      return reply(await projects.change(toEditTarget(context, projectId), change), context);
    },

    async deleteProject({ projectId }, context) {
      await projects.remove(toEditTarget(context, projectId));
      return {};
    },
  });
}

function reply(project: Project, context: HandlerContext) {
  setEtag(context, project.revision);
  return { project: toProjectMessage(project) };
}

function toProjectMessage(project: Project) {
  return toMessageFields(ProjectSchema, project);
}
