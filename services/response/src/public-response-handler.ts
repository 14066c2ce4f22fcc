import type { HandlerContext } from '@connectrpc/connect';
import { PublicResponseService } from '@survey/proto/survey/responses/v1/public_response_service_pb';
import type { AppError } from '@survey/runtime/errors/app-error';
import { markReplayed, readPublicIdempotencyKey } from '@survey/runtime/idempotency/idempotency-key';
import { callOf } from '@survey/runtime/rpc/call-context';
import { headerNames } from '@survey/runtime/rpc/headers';
import { readIfMatch, setEtag } from '@survey/runtime/rpc/if-match';
import { implement } from '@survey/runtime/rpc/implementation';
import { createUploadHandler } from './files/file-handler.ts';
import type { UploadService } from './files/upload-service.ts';
import type { ResumeTokens } from './progress/progress.ts';
import type { ProgressService } from './progress/progress-service.ts';
import type { RateLimits } from './rates/rate-limits.ts';
import {
  fromSubmissionMessage,
  toProgressChange,
  toPublicResponseMessage,
  toPublicSurveyMessage,
  toResponseInProgressMessage,
  toSubmittedMessage,
} from './response-mapper.ts';
import type { Capacity } from './seats/capacity.ts';
import type { SubmissionCall } from './submissions/replay.ts';
import type { Submission } from './submissions/submission.ts';
import type { SubmissionService, Submitted } from './submissions/submission-service.ts';
import { type CompiledSurvey, checkOpen, checkOwnAddress, etagOf } from './surveys/definition.ts';
import type { DefinitionService } from './surveys/definition-service.ts';
import { isOpenToAll } from './surveys/link.ts';
import { type FindEntrance, type LinkService, readVisitor, type Visit, type Visitor } from './surveys/link-service.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly links: LinkService;
  readonly findEntrance: FindEntrance;
  readonly capacity: Capacity;
  readonly submissions: SubmissionService;
  readonly progress: ProgressService;
  readonly tokens: ResumeTokens;
  readonly uploads: UploadService;
  readonly rateLimits: RateLimits;
  readonly clock: () => Date;
}

/**
 * Serves the public operations for respondents, who have no user token. A respondent reaches a survey at its own
 * address (`findOpen`) or through a link (`findOpenThrough`). The resume token gives access to a response in progress
 * (`resume`).
 */
export function createPublicResponseHandler(dependencies: Dependencies) {
  const { definitions, links, findEntrance, capacity, submissions, progress, tokens, uploads, rateLimits, clock } =
    dependencies;
  const storeFile = createUploadHandler(uploads, rateLimits);

  /** @param atLeast version of the survey that the client already knows. A cached older version is not used */
  async function find(surveyId: string, context: HandlerContext, atLeast?: number): Promise<CompiledSurvey> {
    const { clientAddress } = callOf(context);
    const survey = await rateLimits.lookUp(clientAddress, () => definitions.findPublic(surveyId, atLeast));
    context.responseHeader.set(headerNames.tenant, survey.tenantId);
    return survey;
  }

  /** Checks the visitor of a link. Returns the error of a rejected visit, and does not throw it. */
  async function visit(slug: string, context: HandlerContext): Promise<Visit> {
    const { clientAddress } = callOf(context);
    const visitor = readVisitor(context.requestHeader, clientAddress);
    const lookUp = () => links.visit(slug, visitor);
    const result = await rateLimits.lookUp(clientAddress, lookUp, (found) => isWrongGuess(found, visitor));
    // Set the tenant even for rejected visits: the gateway counts errors by tenant.
    context.responseHeader.set(headerNames.tenant, result.link.tenantId);
    return result;
  }

  /** Finds a survey that can be answered at its own address. Throws if it is closed, full, or for links only. */
  async function findOpen(surveyId: string, context: HandlerContext, atLeast?: number): Promise<CompiledSurvey> {
    const survey = await find(surveyId, context, atLeast);
    checkOpen(survey, clock());
    checkOwnAddress(survey);
    await capacity.check(survey);
    return survey;
  }

  /** Finds the survey of a link. Throws if the visitor cannot answer it now. */
  async function findOpenThrough(slug: string, context: HandlerContext, atLeast?: number) {
    const visited = await visit(slug, context);
    if (visited.outcome === 'rejected') throw visited.error;
    const { link, token, linkTokenHeader } = visited;
    const survey = await definitions.findForRespondent(link.tenantId, link.surveyId, atLeast);
    checkOpen(survey, clock());
    const begun = token === undefined ? undefined : await submissions.findInProgress(link, token);
    await capacity.check(survey, link);
    if (linkTokenHeader !== undefined) context.responseHeader.set('link-token', linkTokenHeader);
    return { survey, link, begun };
  }

  /** Returns the survey, or a newer version if the survey lacks the question. */
  async function withQuestion(survey: CompiledSurvey, questionId: string): Promise<CompiledSurvey> {
    if (survey.compiled().fileQuestions.some(({ id }) => id === questionId)) return survey;
    return (await definitions.awaitNewer(survey)) ?? survey;
  }

  /**
   * Stores a response with `store`, and makes the reply.
   *
   * @param target id of the survey or link. Each client has one rate limit for each target
   */
  async function submit(
    target: string,
    submission: Submission,
    context: HandlerContext,
    store: (call: SubmissionCall, traceparent: string) => Promise<Submitted>,
  ) {
    const { clientAddress, traceparent } = callOf(context);
    const call = { submission, idempotencyKey: readPublicIdempotencyKey(context) };
    const permit = rateLimits.permitSubmit(clientAddress, target);
    const { response, origin } = await store(call, traceparent);
    if (origin === 'replayed') {
      permit.giveBack();
      markReplayed(context);
    }
    setEtag(context, response.revision);
    const { status } = submission;
    if (status === 'completed') return { response: toSubmittedMessage(response) };
    // A replay gets the reply of the first request, even if the response is completed by now.
    const begun = { ...response, status, completedAt: undefined };
    return { response: { ...toSubmittedMessage(begun), resumeToken: await tokens.issue(response) } };
  }

  async function resume(responseId: string, context: HandlerContext) {
    const token = context.requestHeader.get('resume-token') ?? undefined;
    const response = await rateLimits.lookUp(callOf(context).clientAddress, () => progress.find(responseId, token));
    context.responseHeader.set(headerNames.tenant, response.tenantId);
    return response;
  }

  return implement(
    PublicResponseService,
    {
      async getPublicSurvey({ surveyId, atLeastVersion }, context) {
        const survey = await findOpen(surveyId, context, atLeastVersion);
        return { survey: toSurveyReply(survey, 'public', context) };
      },

      async getPublicLink({ slug, atLeastVersion }, context) {
        const { survey, link, begun } = await findOpenThrough(slug, context, atLeastVersion);
        const caching = isOpenToAll(link) ? 'public' : 'private';
        if (begun === undefined) return { survey: toSurveyReply(survey, caching, context, link.currentSlug) };
        // The visitor has begun a response. If any device may resume it, return the response and the version that it
        // answers. Otherwise, return the latest version. Both versions get the current settings.
        const isResumable = survey.settings.resumeAcrossDevices;
        const answered = isResumable ? await definitions.findAnsweredVersion(survey, begun.surveyVersion) : survey;
        const shown = { ...answered, settings: survey.settings };
        // If the response is not shown, the `ETag` must not change with each save.
        const seen = isResumable ? begun : { id: begun.id, revision: 0 };
        const reply = toSurveyReply(shown, caching, context, link.currentSlug, seen);
        const responseInProgress = isResumable
          ? toResponseInProgressMessage(begun, await tokens.issue(begun))
          : { resumable: false };
        return { survey: { ...reply, responseInProgress } };
      },

      async submitPublicResponse(request, context) {
        const submission = fromSubmissionMessage(request);
        // Accept a closed survey here: a repeated request gets its first reply. `submissions` rejects new responses.
        const survey = await find(request.surveyId, context);
        return submit(survey.surveyId, submission, context, (call, traceparent) =>
          submissions.submitPublic(survey, call, traceparent),
        );
      },

      async submitLinkResponse(request, context) {
        const submission = fromSubmissionMessage(request);
        const visited = await visit(request.slug, context);
        const { link } = visited;
        // Visitors with other rejections, such as an expired link, may repeat a request and get its reply.
        if (visited.outcome === 'rejected' && isUnproven(visited.error)) throw visited.error;
        const survey = await definitions.findForRespondent(link.tenantId, link.surveyId);
        const reply = await submit(link.id, submission, context, (call, traceparent) =>
          submissions.submitThrough(visited, survey, call, traceparent),
        );
        if (visited.outcome === 'admitted' && visited.linkTokenHeader !== undefined)
          context.responseHeader.set('link-token', visited.linkTokenHeader);
        return reply;
      },

      async getPublicResponse({ responseId }, context) {
        const response = await resume(responseId, context);
        setEtag(context, response.revision);
        return { response: toPublicResponseMessage(response) };
      },

      async updatePublicResponse(request, context) {
        const response = await resume(request.responseId, context);
        const saved = await progress.save(response, {
          change: toProgressChange(request),
          ifMatch: readIfMatch(context),
          traceparent: callOf(context).traceparent,
        });
        setEtag(context, saved.revision);
        return { response: toSubmittedMessage(saved) };
      },
    },
    {
      async uploadPublicFile(request, context, exchange) {
        const survey = await withQuestion(await findOpen(request.surveyId, context), request.questionId);
        const scope = { kind: 'public', id: survey.surveyId } as const;
        // Called after the upload, which can take minutes.
        const recheck = () => findEntrance({ ...survey, linkId: undefined });
        return storeFile(request, { survey, scope, recheck }, context, exchange);
      },

      async uploadLinkFile(request, context, exchange) {
        const { survey, link } = await findOpenThrough(request.slug, context);
        const withFile = await withQuestion(survey, request.questionId);
        const recheck = () => findEntrance({ ...link, linkId: link.id });
        return storeFile(
          request,
          { survey: withFile, scope: { kind: 'link', id: link.id }, recheck },
          context,
          exchange,
        );
      },
    },
  );
}

/** Whether the visitor sent tokens, but none of them belongs to this single-use link. */
function isWrongGuess(visit: Visit, { tokens }: Visitor): boolean {
  return visit.outcome === 'rejected' && visit.error.code === 'LINK_TOKEN_WRONG' && tokens.length > 0;
}

/**
 * Whether a visitor was rejected without the right token or password of an open link. This visitor must not get the
 * reply of an earlier request. `TOO_MANY_REQUESTS` means that the password was not checked.
 *
 * An expired or disabled link (`LINK_EXPIRED`, `LINK_NOT_FOUND`) checks no password. A visitor gets the reply of an
 * earlier request only with the same content, `Idempotency-Key` and token.
 */
function isUnproven({ code }: AppError): boolean {
  return code === 'LINK_TOKEN_WRONG' || code === 'LINK_PASSWORD_WRONG' || code === 'TOO_MANY_REQUESTS';
}

/**
 * Makes the message of a survey, and sets the reply headers. Shared caches may keep public surveys for a second.
 *
 * @param slug slug of the link through which the survey is read
 * @param response the response in progress that is returned with the survey
 */
function toSurveyReply(
  survey: CompiledSurvey,
  caching: 'public' | 'private',
  { responseHeader }: HandlerContext,
  slug?: string,
  response?: Parameters<typeof etagOf>[2],
) {
  if (caching === 'public') responseHeader.set('cache-control', 'public, max-age=1');
  responseHeader.set('etag', etagOf(survey, slug, response));
  return { ...toPublicSurveyMessage(survey), slug };
}
