import { ApiError, type PublicSurvey, type ResponseStatus } from '@survey/client';
import { describe, expect, it } from 'vitest';
import type { Personal } from './address.ts';
import type { OpenedSurvey, SurveyApi } from './api.ts';
import type { Progress } from './progress.ts';
import { start } from './start.ts';

const survey = (version: number, ids: readonly string[], id = 's'): PublicSurvey => ({
  id,
  version,
  survey_version: version,
  metadata_fields: [],
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
  /** The stored response, unless it is the one that this browser saved last. */
  readonly latest?: { readonly data: object; readonly revision: number };
}

function begin({ shown, stored, latest = { data: {}, revision: 1 } }: Platform, kept?: Progress, personal?: Personal) {
  const api = {
    open: async () => {
      if (shown instanceof ApiError) throw shown;
      return { survey: shown, openedAt: new Date('2030-01-01T00:00:00Z') };
    },
    find: async () => {
      if (stored instanceof ApiError) throw stored;
      return { status: stored, ...latest };
    },
  };
  // The start needs no other operations.
  return start({ api: api as unknown as SurveyApi, saved: kept, wanted: ['en'], personal });
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
      'the used link, as the previous release names it',
      { shown: failed('LINK_USED_UP', 410), stored: 'in_progress' as const },
      { ...saved, response },
    ],
    ['a full link after an unknown outcome', { shown: failed('LINK_USED_UP', 410) }, { ...saved, creation }],
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

  it('continues what another device has saved, after the last answered page', async () => {
    const pages = ['a', 'b', 'c'].map((id) => ({ questions: [{ id, type: 'text' as const, title: id }] }));
    const shown = survey(1, []);
    const data = { a: 'x' };
    const opened: OpenedSurvey['survey'] = {
      ...shown,
      definition: { ...shown.definition, pages, welcome_screen: { title: 'Welcome' } },
      response_in_progress: { resumable: true, id: 'r', resume_token: 'token', revision: 3, data, language: 'de' },
    };
    expect(await begin({ shown: opened })).toMatchObject({
      answers: data,
      page: 1,
      language: 'de',
      response: { id: 'r', resumeToken: 'token', revision: 3, answers: data },
    });
    const waiting = { ...fresh(opened), answers: { c: 'z' }, page: 2 };
    expect(await begin({ shown: opened }, waiting)).toMatchObject({
      answers: { a: 'x', c: 'z' },
      page: 2,
      response: { revision: 3 },
    });
    const unfinished = { ...waiting, answers: { c: 7 } };
    expect(await begin({ shown: opened }, unfinished)).toMatchObject({ answers: { a: 'x', c: 7 } });
    const contested = { ...waiting, answers: { a: 'other' } };
    expect(await begin({ shown: opened }, contested)).toEqual({ ...contested, survey: opened });
    const hidden = { ...opened, response_in_progress: { resumable: false } };
    await expect(begin({ shown: hidden })).rejects.toMatchObject({ code: 'RESPONSE_IN_PROGRESS' });
    const own = { ...waiting, response: { id: 'r', resumeToken: 'token', revision: 1, answers: {} } };
    expect(await begin({ shown: hidden, stored: 'in_progress' }, own)).toMatchObject({ answers: { c: 'z' } });
  });

  it('takes over what another device has saved since', async () => {
    const own = { ...saved, response: { ...response, revision: 1, answers: saved.answers } };
    const platform = { shown: survey(1, ['a', 'b']), stored: 'in_progress' as const };
    const latest = { data: { a: 'new' }, revision: 2 };
    expect(await begin({ ...platform, latest }, own)).toMatchObject({
      answers: { a: 'new' },
      response: { revision: 2 },
    });
    const edited = { ...own, answers: { a: 'mine', b: 'y' } };
    expect(await begin({ ...platform, latest }, edited)).toEqual(edited);
  });

  it('takes over metadata, and answers for the page that it shows', async () => {
    const pages = ['a', 'b', 'c'].map((id) => ({ questions: [{ id, type: 'text' as const, title: id }] }));
    const shown = { ...survey(1, []), definition: { ...survey(1, []).definition, pages } };
    const personal: Personal = {
      metadata: { source: 'mail' },
      prefill: [
        ['a', 'Soup'],
        ['b', 'Rice'],
        ['unknown', 'x'],
      ],
    };
    const given = { metadata: { source: 'mail' }, prefill: { b: 'Rice' } };
    expect(await begin({ shown }, undefined, personal)).toEqual({
      ...fresh(shown),
      ...given,
      answers: { a: 'Soup' },
    });
    const welcoming = { ...shown, definition: { ...shown.definition, welcome_screen: { title: 'Welcome' } } };
    expect(await begin({ shown: welcoming }, undefined, personal)).toMatchObject({
      answers: {},
      page: -1,
      prefill: { a: 'Soup', b: 'Rice' },
    });

    // Answers of an earlier visit stay, its metadata does not.
    const earlier: Progress = {
      ...fresh(shown),
      answers: { a: 'Salad' },
      prefill: { c: 'Tea' },
      metadata: { source: 'app', city: 'Rome' },
    };
    expect(await begin({ shown }, earlier, personal)).toEqual({
      ...earlier,
      prefill: { b: 'Rice', c: 'Tea' },
      metadata: { source: 'mail', city: 'Rome' },
    });
    expect(await begin({ shown }, { ...earlier, answers: {} })).toEqual({ ...earlier, answers: {} });
    const pending = { ...earlier, creation, isSubmitPending: true };
    expect(await begin({ shown }, pending, personal)).toEqual(pending);
    const begun: OpenedSurvey['survey'] = {
      ...shown,
      response_in_progress: { resumable: true, id: 'r', resume_token: 'token', revision: 3, data: { a: 'Salad' } },
    };
    expect(await begin({ shown: begun }, undefined, personal)).toMatchObject({
      answers: { a: 'Salad', b: 'Rice' },
      page: 1,
      prefill: {},
      metadata: { source: 'mail' },
    });
    // A newer version, in which questions have moved.
    const newer = { ...survey(2, ['b', 'c']) };
    expect(await begin({ shown: newer }, earlier)).toMatchObject({
      survey: newer,
      answers: { c: 'Tea' },
      prefill: {},
      metadata: earlier.metadata,
    });
  });

  it('takes over only metadata that the survey accepts', async () => {
    const types = { source: 'string', points: 'number', vip: 'boolean', joined: 'date', later: 'color' };
    const fields = Object.entries(types).map(([name, type]) => ({ name, type }));
    const shown = { ...survey(1, ['a']), metadata_fields: fields };
    const read = async (metadata: Personal['metadata']) =>
      (await begin({ shown }, undefined, { metadata, prefill: [] })).metadata;
    expect(await read({ source: 'mail', points: '-1.5', vip: 'True', joined: '2026-02-28', city: 'Rome' })).toEqual({
      source: 'mail',
      points: -1.5,
      vip: true,
      joined: '2026-02-28',
    });
    expect(await read({ points: 'many', vip: '1', joined: '2026-02-30', later: 'red' })).toBeUndefined();
    expect(await read({ points: '2', source: 'x'.repeat(4_097) })).toEqual({ points: 2 });
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
    ['LINK_USED_UP', { shown: failed('LINK_USED_UP', 410) }, saved],
    ['STATE_CONFLICT', { shown: failed('LINK_USED_UP', 410), stored: 'completed' as const }, { ...saved, response }],
    ['LINK_PASSWORD_WRONG', { shown: failed('LINK_PASSWORD_WRONG', 403) }, { ...saved, response }],
    ['STATE_CONFLICT', { shown: survey(1, ['a']), stored: 'completed' as const }, { ...saved, response }],
  ])('is rejected with %s', async (code, platform, kept) => {
    await expect(begin(platform, kept)).rejects.toMatchObject({ code });
  });
});
