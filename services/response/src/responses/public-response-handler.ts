import type { HandlerContext } from '@connectrpc/connect';
import { PublicResponseService } from '@survey/proto/survey/responses/v1/public_response_service_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { callOf } from '@survey/runtime/rpc/call-context';
import { headers } from '@survey/runtime/rpc/headers';
import { markReplayed, readIdempotencyKey } from '@survey/runtime/rpc/idempotency-key';
import { readIfMatch, setEtag } from '@survey/runtime/rpc/if-match';
import { implement } from '@survey/runtime/rpc/implementation';
import { checkAccess, checkOpen, type Definition, etagOf } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { Room } from '../limits/room.ts';
import { isOpenToAll } from '../links/link.ts';
import type { LinkService, Visit } from '../links/link-service.ts';
import { readVisitor } from '../links/visitor.ts';
import type { ProgressService } from '../progress/progress-service.ts';
import type { ResumeTokens } from '../progress/resume-token.ts';
import {
  fromSubmissionMessage,
  toProgress,
  toPublicResponseMessage,
  toPublicSurveyMessage,
  toSubmittedMessage,
} from './response-mapper.ts';
import type { Submission } from './submission.ts';
import type { SubmissionService, Submitted } from './submission-service.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly links: LinkService;
  readonly room: Room;
  readonly submissions: SubmissionService;
  readonly progress: ProgressService;
  readonly tokens: ResumeTokens;
  readonly clock: () => Date;
}

/** The respondents' side. */
export function createPublicResponseHandler(dependencies: Dependencies) {
  const { definitions, links, room, submissions, progress, tokens, clock } = dependencies;

  /** Whoever comes through a link, let in or not. */
  async function visit(slug: string, context: HandlerContext): Promise<Visit> {
    const made = await links.visit(slug, readVisitor(context.requestHeader));
    // Before anything is refused: the gateway counts refusals by tenant too.
    context.responseHeader.set(headers.tenant, made.link.tenantId);
    return made;
  }

  async function answer({ response, origin }: Submitted, { status }: Submission, context: HandlerContext) {
    setEtag(context, response.revision);
    if (origin === 'replayed') markReplayed(context);
    if (status === 'completed') return { response: toSubmittedMessage(response) };
    // The first answer again, whatever has become of the response since.
    const begun = { ...response, status, completedAt: undefined };
    return { response: { ...toSubmittedMessage(begun), resumeToken: await tokens.issue(response) } };
  }

  async function resume(responseId: string, context: HandlerContext) {
    const response = await progress.find(responseId, context.requestHeader.get('resume-token') ?? undefined);
    context.responseHeader.set(headers.tenant, response.tenantId);
    return response;
  }

  return implement(PublicResponseService, {
    async getPublicSurvey({ surveyId }, context) {
      const definition = await definitions.findPublic(surveyId);
      context.responseHeader.set(headers.tenant, definition.tenantId);
      checkOpen(definition, clock());
      checkAccess(definition);
      await room.check(definition);
      return { survey: show(definition, 'for-everybody', context) };
    },

    async getPublicLink({ slug }, context) {
      const visited = await visit(slug, context);
      if (visited.outcome === 'refused') throw visited.error;
      const { link, token, linkToken } = visited;
      const definition = await definitions.findLinked(link.tenantId, link.surveyId);
      checkOpen(definition, clock());
      if (token !== undefined && (await submissions.isUsed(link, token))) throw new AppError('LINK_USED_UP');
      await room.check(definition, link);
      if (linkToken !== undefined) context.responseHeader.set('link-token', linkToken);
      return { survey: show(definition, isOpenToAll(link) ? 'for-everybody' : 'for-visitor', context) };
    },

    async submitPublicResponse(request, context) {
      const submission = fromSubmissionMessage(request);
      const definition = await definitions.findPublic(request.surveyId);
      context.responseHeader.set(headers.tenant, definition.tenantId);
      const call = { submission, idempotencyKey: readIdempotencyKey(context) };
      const submitted = await submissions.submitPublic(definition, call, callOf(context).traceparent);
      return answer(submitted, submission, context);
    },

    async submitLinkResponse(request, context) {
      const submission = fromSubmissionMessage(request);
      const visited = await visit(request.slug, context);
      const { link } = visited;
      if (visited.outcome === 'refused' && isStranger(visited.error)) throw visited.error;
      const definition = await definitions.findLinked(link.tenantId, link.surveyId);
      const call = { submission, idempotencyKey: readIdempotencyKey(context) };
      const submitted = await submissions.submitThrough(visited, definition, call, callOf(context).traceparent);
      if (visited.outcome === 'admitted' && visited.linkToken !== undefined)
        context.responseHeader.set('link-token', visited.linkToken);
      return answer(submitted, submission, context);
    },

    async getPublicResponse({ responseId }, context) {
      const response = await resume(responseId, context);
      setEtag(context, response.revision);
      return { response: toPublicResponseMessage(response) };
    },

    async updatePublicResponse(request, context) {
      const response = await resume(request.responseId, context);
      const saved = await progress.save(response, {
        progress: toProgress(request),
        ifMatch: readIfMatch(context),
        traceparent: callOf(context).traceparent,
      });
      setEtag(context, saved.revision);
      return { response: toSubmittedMessage(saved) };
    },
  });
}

/** Refused for what they do not know: no earlier answer is for them either. */
function isStranger({ reason }: AppError): boolean {
  return reason === 'LINK_TOKEN_WRONG' || reason === 'LINK_PASSWORD_WRONG' || reason === 'TOO_MANY_REQUESTS';
}

/** What a renderer needs. What everybody may see caches may keep for a moment. */
function show(definition: Definition, audience: 'for-everybody' | 'for-visitor', { responseHeader }: HandlerContext) {
  if (audience === 'for-everybody') responseHeader.set('cache-control', 'public, max-age=1');
  responseHeader.set('etag', etagOf(definition));
  return toPublicSurveyMessage(definition);
}
