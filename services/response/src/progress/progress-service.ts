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
import type { FindEntrance, LinkService } from '../surveys/link-service.ts';
import { applySave, isFinishedBy, type ProgressChange, type ResumeTokens } from './progress.ts';
import type { ProgressStore } from './progress-store.ts';

interface Save {
  readonly change: ProgressChange;
  readonly ifMatch: IfMatch | undefined;
  readonly traceparent: string;
}

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findForRespondent' | 'findAnsweredVersion'>;
  readonly links: Pick<LinkService, 'findMetadata'>;
  readonly findEntrance: FindEntrance;
  /** Finds responses of all tenants, because respondents send only an id. */
  readonly progressStore: Pick<ProgressStore, 'find'>;
  readonly store: Pick<ResponseStore, 'find'>;
  readonly commit: Commit;
  readonly sealer: Pick<ResponseSealer, 'open' | 'forTenant'>;
  readonly tokens: Pick<ResumeTokens, 'isToken'>;
  readonly files: Pick<ResponseFiles, 'change'>;
  readonly countStored: CountStored;
  readonly clock: () => Date;
  readonly startStopwatch: StartStopwatch;
}

export type ProgressService = ReturnType<typeof createProgressService>;

/** Saves and completes responses in progress. A completed response takes a seat of each limit of survey and link. */
export function createProgressService(dependencies: Dependencies) {
  const { definitions, links, findEntrance, progressStore, store, commit, sealer, tokens, files, countStored, clock } =
    dependencies;
  const { startStopwatch } = dependencies;

  async function read({ tenantId, id }: ResponseFields): Promise<Response> {
    const sealed = await store.find(tenantId, id);
    if (sealed === undefined) throw new AppError('RESPONSE_NOT_FOUND');
    return sealer.open(sealed);
  }

  /** Finds the survey and link of a response. Throws if one of them is closed. */
  async function findEntranceOf({ tenantId, surveyId, linkId }: ResponseFields): Promise<CheckedEntrance> {
    const stopwatch = startStopwatch();
    const { survey, link } = await findEntrance({ tenantId, surveyId, linkId });
    return {
      survey,
      link,
      findAgain: () => findEntrance({ tenantId, surveyId, linkId, slug: link?.slug }),
      ageMs: stopwatch,
    };
  }

  /** Returns undefined if the response was changed concurrently. */
  async function write(before: Response, save: Save): Promise<Response | undefined> {
    try {
      return await applyAndStore(before, save);
    } catch (error) {
      // An earlier attempt of this request may have completed the response, and taken the last seat.
      if (error instanceof AppError && error.status < 500 && (await isChanged(before))) return undefined;
      throw error;
    }
  }

  /** Returns the response if an earlier attempt of this request has finished it, else throws `STATE_CONFLICT`. */
  async function replayFinish(response: Response, change: ProgressChange): Promise<Response> {
    if (response.status !== 'abandoned') {
      // Closed surveys are found too.
      const survey = await definitions.findForRespondent(response.tenantId, response.surveyId);
      const definition = await definitions.findAnsweredVersion(survey, response.surveyVersion);
      const { metadataFields } = survey.settings;
      if (isFinishedBy(response, change, { definition, metadataFields })) return response;
    }
    throw new AppError('STATE_CONFLICT', { detail: 'The response is no longer in progress' });
  }

  async function isChanged({ tenantId, id, revision }: ResponseFields & Pick<Response, 'revision'>): Promise<boolean> {
    return (await store.find(tenantId, id))?.revision !== revision;
  }

  /** Returns `before` if the save changes nothing. Returns undefined if the response was changed concurrently. */
  async function applyAndStore(before: Response, { change, traceparent }: Save): Promise<Response | undefined> {
    const entrance = await findEntranceOf(before);
    const definition = await definitions.findAnsweredVersion(entrance.survey, before.surveyVersion);
    const { metadataFields } = entrance.survey.settings;
    const after = applySave(before, change, { definition, metadataFields }, clock());
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

  async function withGiven(response: Response, change: ProgressChange): Promise<ProgressChange> {
    return Object.hasOwn(change, 'metadata') ? { ...change, given: await links.findMetadata(response) } : change;
  }

  return {
    /** Throws `SURVEY_NOT_FOUND`, or `RESPONSE_NOT_FOUND` if the token is wrong or the response is abandoned. */
    async find(id: string, token: string | undefined): Promise<Response> {
      const sealed = token === undefined ? undefined : await progressStore.find(id);
      if (token === undefined || sealed === undefined || sealed.status === 'abandoned')
        throw new AppError('RESPONSE_NOT_FOUND');
      // Check the survey first: the token check needs the tenant's keys, and a deleted tenant has none.
      await definitions.findForRespondent(sealed.tenantId, sealed.surveyId);
      if (!(await tokens.isToken(sealed, token))) throw new AppError('RESPONSE_NOT_FOUND');
      return sealer.open(sealed);
    },

    /** Throws `STATE_CONFLICT` if the response is not in progress, unless this request has finished it before. */
    save: (response: ResponseFields, save: Save): Promise<Response> =>
      changeLatest(save, {
        read: () => read(response),
        findApplied: async (found) =>
          found.status === 'in_progress' ? undefined : replayFinish(found, await withGiven(found, save.change)),
        write: async (before) => write(before, { ...save, change: await withGiven(before, save.change) }),
      }),
  };
}
