import { AppError } from '@survey/runtime/errors/app-error';
import { changeLatest } from '@survey/runtime/rpc/change-latest';
import type { IfMatch } from '@survey/runtime/rpc/if-match';
import { checkAccess, checkOpen } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { ResponseFiles } from '../files/response-files.ts';
import type { Commit, Source } from '../limits/commit.ts';
import { toLimitError } from '../limits/limit.ts';
import type { LinkService } from '../links/link-service.ts';
import type { Response, ResponseHead } from '../responses/response.ts';
import { submittedEvents } from '../responses/response-events.ts';
import type { CountResponse } from '../responses/response-metrics.ts';
import type { ResponseSealer } from '../responses/response-sealer.ts';
import type { ResponseStore } from '../responses/response-service.ts';
import { advance, isFinishedBy, type Progress } from './progress.ts';
import type { ProgressStore } from './progress-store.ts';
import type { ResumeTokens } from './resume-token.ts';

/** A save with what came along. */
interface Save {
  readonly progress: Progress;
  readonly ifMatch: IfMatch | undefined;
  readonly traceparent: string;
}

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findBegun' | 'findLinked' | 'findAnswered'>;
  readonly links: Pick<LinkService, 'findOpen'>;
  readonly everybodys: Pick<ProgressStore, 'find'>;
  readonly store: Pick<ResponseStore, 'find'>;
  readonly commit: Commit;
  readonly sealer: Pick<ResponseSealer, 'open' | 'sealerOf'>;
  readonly tokens: Pick<ResumeTokens, 'isToken'>;
  readonly files: Pick<ResponseFiles, 'change'>;
  readonly count: CountResponse;
  readonly clock: () => Date;
}

export type ProgressService = ReturnType<typeof createProgressService>;

/** What respondents do with the answers that they have begun. */
export function createProgressService(dependencies: Dependencies) {
  const { definitions, links, everybodys, store, commit, sealer, tokens, files, count, clock } = dependencies;

  async function read({ tenantId, id }: ResponseHead): Promise<Response> {
    const sealed = await store.find(tenantId, id);
    if (sealed === undefined) throw new AppError('RESPONSE_NOT_FOUND');
    return sealer.open(sealed);
  }

  /** The survey and link that a response was begun through. Throws when they take no more responses. */
  async function findSource({ tenantId, surveyId, linkId }: ResponseHead): Promise<Source> {
    if (linkId === undefined) {
      const survey = await definitions.findBegun(tenantId, surveyId);
      checkOpen(survey, clock());
      checkAccess(survey);
      return { survey };
    }
    const survey = await definitions.findLinked(tenantId, surveyId);
    checkOpen(survey, clock());
    return { survey, link: await links.findOpen(tenantId, linkId) };
  }

  /** Undefined when the response is another by now. */
  async function write(before: Response, { progress, traceparent }: Save): Promise<Response | undefined> {
    if (before.status !== 'in_progress') return finished(before, progress);
    const { survey, link } = await findSource(before);
    const definition = await definitions.findAnswered(survey, before.surveyVersion);
    const after = advance(before, progress, definition, clock());
    if (after === undefined) return before;
    const isStored = await files.change(before, after, definition, () =>
      replace(before, after, { survey, link, traceparent }),
    );
    if (!isStored) return undefined;
    if (after.status !== 'in_progress') count(after);
    return after;
  }

  async function replace(
    before: Response,
    after: Response,
    { survey, link, traceparent }: Source & Pick<Save, 'traceparent'>,
  ): Promise<boolean> {
    const response = (await sealer.sealerOf(after.tenantId))(after);
    const events = submittedEvents(after, traceparent);
    const outcome = await commit({ survey, link }, { response, before, events });
    if (typeof outcome === 'object') throw new AppError(toLimitError(outcome));
    return outcome === 'stored';
  }

  return {
    /**
     * A response by its id and token, which are all that a respondent has. Throws `RESPONSE_NOT_FOUND` without the right
     * one, and when nobody went on with it for too long, and `SURVEY_NOT_FOUND` when its survey is gone.
     */
    async find(id: string, token: string | undefined): Promise<Response> {
      const sealed = token === undefined ? undefined : await everybodys.find(id);
      if (token === undefined || sealed === undefined || sealed.status === 'abandoned')
        throw new AppError('RESPONSE_NOT_FOUND');
      // Before its keys are asked for: those of a deleted tenant are gone.
      await definitions.findLinked(sealed.tenantId, sealed.surveyId);
      if (!(await tokens.isToken(sealed, token))) throw new AppError('RESPONSE_NOT_FOUND');
      return sealer.open(sealed);
    },

    /** Saves a response that was found. Throws `STATE_CONFLICT` when it is over, unless it is so by the same request. */
    save: (response: ResponseHead, save: Save): Promise<Response> =>
      changeLatest(save, { read: () => read(response), write: (before) => write(before, save) }),
  };
}

function finished(response: Response, progress: Progress): Response {
  if (response.status !== 'abandoned' && isFinishedBy(response, progress)) return response;
  throw new AppError('STATE_CONFLICT', { detail: 'The response is over' });
}
