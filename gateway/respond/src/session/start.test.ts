import { ApiError, type PublicSurvey, type ResponseStatus } from '@survey/client';
import { describe, expect, it } from 'vitest';
import type { SurveyApi } from './api.ts';
import type { Progress } from './progress.ts';
import { start } from './start.ts';

const survey = (version: number, ids: readonly string[], id = 's'): PublicSurvey => ({
  id,
  version,
  survey_version: version,
  definition: {
    title: 't',
    supported_languages: ['en', 'de'],
    pages: [{ questions: ids.map((one) => ({ id: one, type: 'text', title: one })) }],
  },
  languages: ['en', 'de'],
});

const fresh = (shown: PublicSurvey): Progress => ({
  survey: shown,
  answers: {},
  page: 0,
  language: 'en',
  fileNames: {},
  startedAt: '2030-01-01T00:00:00.000Z',
});
const saved: Progress = { ...fresh(survey(1, ['a', 'b'])), answers: { a: 'x', b: 'y' }, page: 1, language: 'de' };
const response = { id: 'r', resumeToken: 'token' };
const creation = { key: 'key', body: { data: {} } };

const failed = (code: ApiError['code'], status: number) => new ApiError(code, { code, status });

interface Platform {
  readonly shown: PublicSurvey | ApiError;
  readonly stored?: ResponseStatus | ApiError;
}

function begin({ shown, stored }: Platform, kept?: Progress) {
  const api = {
    open: async () => {
      if (shown instanceof ApiError) throw shown;
      return { survey: shown, openedAt: new Date('2030-01-01T00:00:00Z') };
    },
    find: async () => {
      if (stored instanceof ApiError) throw stored;
      return { status: stored };
    },
  };
  // The start needs no other operations.
  return start({ api: api as unknown as SurveyApi, saved: kept, wanted: ['en'] });
}

describe('a visit', () => {
  it('begins with the first page, or with the welcome screen', async () => {
    const shown = survey(1, ['a']);
    expect(await begin({ shown })).toEqual(fresh(shown));
    const welcoming = { ...shown, definition: { ...shown.definition, welcome_screen: { title: 'Welcome' } } };
    expect(await begin({ shown: welcoming })).toEqual({ ...fresh(welcoming), page: -1 });
  });

  it.each([
    ['the same version', { shown: survey(1, ['a', 'b']) }, saved],
    ['no connection', { shown: failed('CONNECTION_LOST', 0) }, saved],
    [
      'a newer version after a save',
      { shown: survey(2, ['b']), stored: 'in_progress' as const },
      { ...saved, response },
    ],
    ['a newer version after an unknown outcome', { shown: survey(2, ['b']) }, { ...saved, creation }],
    [
      'the used link',
      { shown: failed('LINK_TOKEN_USED', 410), stored: 'in_progress' as const },
      { ...saved, response },
    ],
    [
      'a closed survey after the submit',
      { shown: failed('SURVEY_CLOSED', 409) },
      { ...saved, creation, isSubmitPending: true },
    ],
    [
      'a completed response, to repeat its submit',
      { shown: survey(1, ['a']), stored: 'completed' as const },
      { ...saved, response, isSubmitPending: true },
    ],
  ])('continues with %s', async (_case, platform, kept) => {
    expect(await begin(platform, kept)).toEqual(kept);
  });

  it('takes the answers along to a newer version, if nothing was sent', async () => {
    expect(await begin({ shown: survey(2, ['b', 'c']) }, saved)).toEqual({
      ...fresh(survey(2, ['b', 'c'])),
      answers: { b: 'y' },
      language: 'de',
    });
  });

  it('begins again with another survey', async () => {
    expect(await begin({ shown: survey(1, ['a'], 'other') }, saved)).toEqual(fresh(survey(1, ['a'], 'other')));
  });

  it('makes another response of an abandoned one', async () => {
    const platform = { shown: survey(1, ['a', 'b']), stored: failed('RESPONSE_NOT_FOUND', 404) };
    expect(await begin(platform, { ...saved, response })).toEqual({ ...saved, response: undefined });
  });

  it.each([
    ['SURVEY_CLOSED', { shown: failed('SURVEY_CLOSED', 409) }, saved],
    ['LINK_TOKEN_USED', { shown: failed('LINK_TOKEN_USED', 410) }, saved],
    ['LINK_PASSWORD_WRONG', { shown: failed('LINK_PASSWORD_WRONG', 403) }, { ...saved, response }],
    ['STATE_CONFLICT', { shown: survey(1, ['a']), stored: 'completed' as const }, { ...saved, response }],
  ])('is rejected with %s', async (code, platform, kept) => {
    await expect(begin(platform, kept)).rejects.toMatchObject({ code });
  });
});
