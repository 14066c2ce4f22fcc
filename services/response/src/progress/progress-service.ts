import { AppError } from '@survey/runtime/errors/app-error';
import { changeLatest, type IfMatch } from '@survey/runtime/rpc/if-match';
import type { ResponseFiles } from '../files/response-files.ts';
import type { CountStored } from '../responses/module.ts';
import type { Response, ResponseFields } from '../responses/response.ts';
import { statusEvents } from '../responses/response-events.ts';
import type { ResponseSealer } from '../responses/response-sealer.ts';
import type { ResponseStore } from '../responses/response-store.ts';
import type { CheckedEntrance, Commit } from '../seats/commit.ts';
import { toLimitError } from '../seats/limit.ts';
import type { StartStopwatch } from '../stopwatch.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import type { FindEntrance } from '../surveys/link-service.ts';
import { applySave, isFinishedBy, type ProgressChange, type ResumeTokens } from './progress.ts';
import type { ProgressStore } from './progress-store.ts';

/** A save of a response in progress, with the request's `If-Match` header and trace. */
interface Save {
  readonly change: ProgressChange;
  readonly ifMatch: IfMatch | undefined;
  readonly traceparent: string;
}

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findForRespondent' | 'findAnsweredVersion'>;
  readonly findEntrance: FindEntrance;
  /** Finds responses of all tenants, because respondents send only an id. */
  readonly progressStore: Pick<ProgressStore, 'find'>;
  readonly store: Pick<ResponseStore, 'find'>;
  readonly commit: Commit;
  readonly sealer: Pick<ResponseSealer, 'open' | 'forTenant'>;
  readonly tokens: Pick<ResumeTokens, 'isToken'>;
  readonly files: Pick<ResponseFiles, 'change'>;
  /** Counts a finished response in the metrics. */
  readonly countStored: CountStored;
  readonly clock: () => Date;
  readonly startStopwatch: StartStopwatch;
}

export type ProgressService = ReturnType<typeof createProgressService>;

/** Lets respondents read, save and complete their responses in progress. */
export function createProgressService(dependencies: Dependencies) {
  const { definitions, findEntrance, progressStore, store, commit, sealer, tokens, files, countStored, clock } =
    dependencies;
  const { startStopwatch } = dependencies;

  async function read({ tenantId, id }: ResponseFields): Promise<Response> {
    const sealed = await store.find(tenantId, id);
    if (sealed === undefined) throw new AppError('RESPONSE_NOT_FOUND');
    return sealer.open(sealed);
  }

  /**
   * Finds the survey and link of a response. Throws if one of them accepts no more responses. `commit` may find them
   * again, and knows the slug of the link then.
   */
  async function findEntranceOf({ tenantId, surveyId, linkId }: ResponseFields): Promise<CheckedEntrance> {
    const ageMs = startStopwatch();
    const { survey, link } = await findEntrance({ tenantId, surveyId, linkId });
    return { survey, link, findAgain: () => findEntrance({ tenantId, surveyId, linkId, slug: link?.slug }), ageMs };
  }

  /** Returns undefined if the response was changed concurrently. */
  async function write(before: Response, save: Save): Promise<Response | undefined> {
    try {
      return await applyAndStore(before, save);
    } catch (error) {
      // An earlier attempt of this request may have completed the response and taken the last seat. Then this one fails
      // only because of its own success. Undefined lets `changeLatest` read the response again.
      if (error instanceof AppError && error.status < 500 && (await isChanged(before))) return undefined;
      throw error;
    }
  }

  /** Returns a response that the same request has finished before. Throws `STATE_CONFLICT` for any other save. */
  async function replayFinish(response: Response, change: ProgressChange): Promise<Response> {
    if (response.status !== 'abandoned') {
      // This also finds surveys that are closed by now.
      const survey = await definitions.findForRespondent(response.tenantId, response.surveyId);
      const definition = await definitions.findAnsweredVersion(survey, response.surveyVersion);
      if (isFinishedBy(response, change, definition)) return response;
    }
    throw new AppError('STATE_CONFLICT', { detail: 'The response is no longer in progress' });
  }

  async function isChanged({ tenantId, id, revision }: ResponseFields & Pick<Response, 'revision'>): Promise<boolean> {
    return (await store.find(tenantId, id))?.revision !== revision;
  }

  /** Returns `before` if the save changes nothing, and undefined if the response was changed concurrently. */
  async function applyAndStore(before: Response, { change, traceparent }: Save): Promise<Response | undefined> {
    const entrance = await findEntranceOf(before);
    const definition = await definitions.findAnsweredVersion(entrance.survey, before.surveyVersion);
    const after = applySave(before, change, definition, clock());
    if (after === undefined) return before;
    const isStored = await files.change(before, after, definition, () => replace(before, after, entrance, traceparent));
    if (!isStored) return undefined;
    if (after.status !== 'in_progress') countStored(after);
    return after;
  }

  async function replace(
    before: Response,
    after: Response,
    entrance: CheckedEntrance,
    traceparent: string,
  ): Promise<boolean> {
    const response = (await sealer.forTenant(after.tenantId)).seal(after);
    const events = after.status === 'in_progress' ? [] : statusEvents(after, traceparent);
    const replaced = { status: 'in_progress', revision: before.revision } as const;
    const outcome = await commit(entrance, { response, replaced, events });
    // The outcome is a limit without a free seat.
    if (typeof outcome === 'object') throw new AppError(toLimitError(outcome));
    return outcome === 'stored';
  }

  return {
    /**
     * Finds a response by its id and resume token. Throws `RESPONSE_NOT_FOUND` if the token is wrong or the response is
     * abandoned, and `SURVEY_NOT_FOUND` if the survey is deleted.
     */
    async find(id: string, token: string | undefined): Promise<Response> {
      const sealed = token === undefined ? undefined : await progressStore.find(id);
      if (token === undefined || sealed === undefined || sealed.status === 'abandoned')
        throw new AppError('RESPONSE_NOT_FOUND');
      // Check the survey first: the token check needs the tenant's keys, which a deleted tenant no longer has.
      await definitions.findForRespondent(sealed.tenantId, sealed.surveyId);
      if (!(await tokens.isToken(sealed, token))) throw new AppError('RESPONSE_NOT_FOUND');
      return sealer.open(sealed);
    },

    /** Saves a response. Throws `STATE_CONFLICT` if it is not in progress, unless the same request has finished it. */
    save: (response: ResponseFields, save: Save): Promise<Response> =>
      changeLatest(save, {
        read: () => read(response),
        findApplied: async (found) => (found.status === 'in_progress' ? undefined : replayFinish(found, save.change)),
        write: (before) => write(before, save),
      }),
  };
}
