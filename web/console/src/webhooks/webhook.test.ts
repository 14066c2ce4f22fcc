import { describe, expect, it } from 'vitest';
import { isOtherServer, NEW_WEBHOOK, toPatch, toSettings, webhookState, webhookTitle } from './webhook.ts';

const form = {
  ...NEW_WEBHOOK,
  url: 'https://example.com/hook',
  headers: [
    { name: 'Authorization', value: '********' },
    { name: 'X-Old', value: '********' },
  ],
};

describe('a webhook', () => {
  it('is named by its description, else by its URL', () => {
    expect(webhookTitle({ description: 'Orders', url: 'https://example.com/' })).toBe('Orders');
    expect(webhookTitle({ description: '', url: 'https://example.com/hook' })).toBe('example.com/hook');
    expect(webhookTitle({ description: 'x'.repeat(500), url: '' })).toHaveLength(80);
  });

  it('is paused by a user, and disabled by the platform', () => {
    expect(webhookState({ active: true })).toBe('active');
    expect(webhookState({ active: false })).toBe('paused');
    expect(webhookState({ active: false, disabled_reason: 'gone' })).toBe('disabled');
  });
});

describe('the form of a webhook', () => {
  it('sends only changes', () => {
    expect(toPatch(form, form)).toEqual({});
    expect(toPatch(form, { ...form, description: 'Orders', include_answers: true })).toEqual({
      description: 'Orders',
      include_answers: true,
    });
  });

  it('removes, adds and keeps headers', () => {
    const headers = [
      { name: 'Authorization', value: '********' },
      { name: ' X-New ', value: '1' },
      { name: '', value: 'ignored' },
    ];
    expect(toPatch(form, { ...form, headers })).toEqual({ headers: { 'X-Old': null, 'X-New': '1' } });
  });

  it('asks for hidden values again if scheme, host or port changes', () => {
    const moved = ['http://example.com/hook', 'https://example.org/hook', 'https://example.com:8443/hook'];
    expect(moved.map((url) => isOtherServer(form.url, url))).toEqual([true, true, true]);
    const same = ['https://example.com/other?a=1', ' https://EXAMPLE.com:443/', 'https:'];
    expect(same.map((url) => isOtherServer(form.url, url))).toEqual([false, false, false]);
    expect(isOtherServer(undefined, form.url)).toBe(false);
  });

  it('has all settings of a new webhook', () => {
    expect(toSettings({ ...NEW_WEBHOOK, url: ' https://example.com ' })).toEqual({
      ...NEW_WEBHOOK,
      url: 'https://example.com',
      headers: {},
    });
  });
});
