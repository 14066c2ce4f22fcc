import { ProjectService as ProjectServiceDesc } from '@survey/proto/survey/surveys/v1/project_service_pb';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { toEdit } from '@survey/runtime/rpc/change-latest';
import type { Idempotency } from '@survey/runtime/rpc/idempotency';
import { setEtag } from '@survey/runtime/rpc/if-match';
import { implement } from '@survey/runtime/rpc/implementation';
import { toProjectMessage } from './project-mapper.ts';
import type { ProjectService } from './project-service.ts';

interface Dependencies {
  readonly projects: ProjectService;
  readonly idempotency: Idempotency;
}

export function createProjectHandler({ projects, idempotency }: Dependencies) {
  return implement(ProjectServiceDesc, {
    async createProject(request, context) {
      const { name, description } = request;
      const { createProject } = ProjectServiceDesc.method;
      const answer = await idempotency.answer(createProject, request, context, async (id) => {
        const project = await projects.create(tenantCallOf(context), id, { name, description });
        return { project: toProjectMessage(project) };
      });
      context.responseHeader.set('location', `${API_PREFIX}/projects/${answer.project?.id}`);
      setEtag(context, 1);
      return answer;
    },

    async listProjects(page, context) {
      const { items, nextCursor } = await projects.list(tenantCallOf(context).tenantId, toPageQuery(page));
      return { projects: items.map(toProjectMessage), nextCursor: nextCursor ?? '' };
    },

    async getProject({ projectId }, context) {
      const project = await projects.get(tenantCallOf(context).tenantId, projectId);
      setEtag(context, project.revision);
      return { project: toProjectMessage(project) };
    },

    async updateProject({ projectId, updateMask, name, description }, context) {
      const asked = new Set(updateMask?.paths);
      const change = { ...(asked.has('name') ? { name } : {}), ...(asked.has('description') ? { description } : {}) };
      const project = await projects.change(toEdit(context, projectId), change);
      setEtag(context, project.revision);
      return { project: toProjectMessage(project) };
    },

    async deleteProject({ projectId }, context) {
      await projects.remove(toEdit(context, projectId));
      return {};
    },
  });
}
