import { describe, expect, it } from 'vitest';
import { testWebhook } from '../testing/test-webhook.ts';
import { sendsMoreAnswers, type Webhook } from './webhook.ts';

const plain = testWebhook({ url: 'https://1.1.1.1/' });
const asking = testWebhook({ ...plain, includeAnswers: true, hasIncludedAnswers: true });
const stopped = testWebhook({ ...asking, includeAnswers: false });
const elsewhere = { url: 'https://1.0.0.1/' };
const withHeader = { headers: [{ name: 'X-A', value: plain.secret }] };

const isMore = (before: Webhook, change: Partial<Webhook>) => sendsMoreAnswers(before, { ...before, ...change });

describe('a change of a webhook', () => {
  it.each([
    ['starts to include answers', plain, { includeAnswers: true, hasIncludedAnswers: true }],
    ['moves one that includes them', asking, elsewhere],
    ['moves one while it stops including them', asking, { ...elsewhere, includeAnswers: false }],
    ['moves one that has included them', stopped, elsewhere],
    ['gives headers to one that includes them', asking, withHeader],
    ['gives headers to one that has included them', stopped, withHeader],
    ['activates one that includes them', { ...asking, active: false }, { active: true }],
    ['activates one that has included them', { ...stopped, active: false }, { active: true }],
    ['adds event types to one that includes them', { ...asking, eventTypes: ['survey.*'] }, { eventTypes: ['*'] }],
    ['adds a survey to one that includes them', asking, { surveyIds: ['1'] }],
  ])('sends more answers when it %s', (_case, before, change) => {
    expect(isMore(before, change)).toBe(true);
  });

  it.each([
    ['moves one that never included them', plain, elsewhere],
    ['switches one on that never included them', { ...plain, active: false }, { active: true }],
    ['stops including them', asking, { includeAnswers: false }],
    ['switches one off that includes them', asking, { active: false }],
    ['widens what one gets that has included them', stopped, { eventTypes: ['*'], surveyIds: ['1'] }],
    ['describes one that includes them', asking, { description: 'mine' }],
  ])('sends no more answers when it %s', (_case, before, change) => {
    expect(isMore(before, change)).toBe(false);
  });
});
